//! Files that are dropped on a page: written piece by piece, and refused as soon as they are too long.
use crate::Lab;
use crate::error::Refusal;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header::CONTENT_LENGTH};
use http_body_util::BodyExt;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use tokio::io::AsyncWriteExt;

/// Uploads of one lab together: so many times the longest one.
const MAX_TOTAL: u64 = 10;

/// A file that is being written; removed, and no longer counted, if the upload breaks off.
struct PartialFile<'a> {
    lab: &'a Lab,
    path: PathBuf,
    length: u64,
    whole: bool,
}

impl Drop for PartialFile<'_> {
    fn drop(&mut self) {
        if !self.whole {
            self.lab.uploaded.fetch_sub(self.length, Ordering::Relaxed);
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Stores a body under a name like `given`; gives the name under which it is.
pub async fn store(lab: &Lab, given: &str, headers: &HeaderMap, mut body: Body) -> Result<String, Refusal> {
    let most = lab.limits.upload;
    let told: Option<u64> = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if told.is_some_and(|length| length > most) {
        return Err(too_long(most));
    }
    let path = lab.folder.path().join(format!(".upload-{}", lab.uploads.fetch_add(1, Ordering::Relaxed)));
    let mut part = PartialFile { lab, path, length: 0, whole: false };
    let mut file = tokio::fs::File::create_new(&part.path).await?;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Refusal::bad("the upload broke off"))?;
        let Ok(data) = frame.into_data() else { continue };
        let more = data.len() as u64;
        part.length += more;
        let total = lab.uploaded.fetch_add(more, Ordering::Relaxed) + more;
        if part.length > most {
            return Err(too_long(most));
        }
        if total > MAX_TOTAL * most {
            return Err(Refusal::new(StatusCode::INSUFFICIENT_STORAGE, "the lab holds too many files already")
                .hint("start it anew: its folder is emptied then"));
        }
        file.write_all(&data).await?;
    }
    file.flush().await?;
    if part.length == 0 {
        return Err(Refusal::bad("the file is empty"));
    }
    // nothing is awaited between the choice of the name and its use
    let name = lab.folder.free_name(given);
    std::fs::rename(&part.path, lab.folder.path().join(&name))?;
    part.whole = true;
    Ok(name)
}

fn too_long(most: u64) -> Refusal {
    let text = format!("the file is longer than {} MB", most >> 20);
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, text).hint(
        "the program reads files of any length: 'stiction identify FILE'; 'stiction lab --upload MB' allows more here",
    )
}
