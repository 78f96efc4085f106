//! The file of a unit: a ZIP archive.
use super::FmuError;
use super::binary::Binary;
use crate::Error;
use crate::export::SourceFile;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The archive of these files. It has no dates, so that the same unit has the same bytes.
pub(super) fn pack(files: &[SourceFile], binary: Option<&Binary>) -> Result<Vec<u8>, Error> {
    let texts = files.iter().map(|file| (file.path.as_str(), file.text.as_bytes(), false));
    let library = binary.map(|binary| (binary.path.as_str(), &binary.bytes[..], true));
    write(texts.chain(library)).map_err(|error| FmuError::Archive { error: error.to_string() }.into())
}

fn write<'a>(files: impl Iterator<Item = (&'a str, &'a [u8], bool)>) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes, executable) in files {
        let mode = if executable { 0o755 } else { 0o644 };
        archive.start_file(path, SimpleFileOptions::default().unix_permissions(mode))?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
