//! The file of a unit: a ZIP archive.
use super::FmuError;
use crate::Error;
use crate::export::OutputFile;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The archive of these files. It has no dates, so that the same unit has the same bytes.
pub(super) fn pack(files: &[OutputFile], library: Option<&OutputFile>) -> Result<Vec<u8>, Error> {
    let all = files.iter().map(|file| (file, 0o644)).chain(library.map(|file| (file, 0o755)));
    write(all).map_err(|error| FmuError::Archive { error: error.to_string() }.into())
}

/// A library with this many bytes has symbols for debugging, and would take longer to compress than it is worth.
const LARGE: usize = 1 << 25;

/// Files with their permissions.
fn write<'a>(files: impl Iterator<Item = (&'a OutputFile, u32)>) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (file, mode) in files {
        let mut options = SimpleFileOptions::default().unix_permissions(mode);
        if file.bytes.len() > LARGE {
            options = options.compression_method(CompressionMethod::Stored);
        }
        archive.start_file(&*file.path, options)?;
        archive.write_all(&file.bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
