//! The file of a unit: a ZIP archive.
use super::FmuError;
use crate::Error;
use crate::export::OutputFile;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The archive of these files. It has no dates, so that the same unit has the same bytes.
pub(super) fn pack(files: &[OutputFile], library: Option<&OutputFile>) -> Result<Vec<u8>, Error> {
    let all = files.iter().map(|file| (file, 0o644)).chain(library.map(|file| (file, 0o755)));
    write(all).map_err(|error| FmuError::Archive { error: error.to_string() }.into())
}

/// Files with their permissions.
fn write<'a>(files: impl Iterator<Item = (&'a OutputFile, u32)>) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (file, mode) in files {
        archive.start_file(&*file.path, SimpleFileOptions::default().unix_permissions(mode))?;
        archive.write_all(&file.bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
