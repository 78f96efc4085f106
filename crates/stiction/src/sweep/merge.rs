//! Merges the shards of a sweep.
use super::chunk_store::check_same_plan;
use super::file::{Reader, Writer, is_parquet, manifest};
use super::{ResultHeader, ResultSummary, Shard, SweepError};
use crate::FileError;
use crate::{Error, output};
use std::io;
use std::path::{Path, PathBuf};

/// Writes the shards in `files`, in any order, as one result, byte for byte that of a single process. Rows are
/// copied one by one.
///
/// # Errors
/// [`Error::Sweep`] if they are not all the shards of one sweep; [`Error::File`] if one cannot be read or the result not
/// written.
pub fn merge(files: &[PathBuf], to: &Path) -> Result<ResultSummary, Error> {
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    if let Some(path) = files.iter().find(|file| place(file).is_some() && place(file) == place(to)) {
        return Err(SweepError::OverwritesShard { path: path.clone() }.into());
    }
    let mut all: Vec<(u64, &PathBuf, ResultHeader)> = Vec::new();
    for path in files {
        let mut reader = Reader::open(path)?;
        let fault = |io| Error::File(FileError { path: path.clone(), action: "read", io });
        // an empty shard has no first point
        let first = reader.next().transpose().map_err(fault)?.map_or(0, |row| row.index);
        all.push((first, path, reader.heads));
    }
    // CSV files without their manifests have columns alone; one of them makes all so
    if all.iter().any(|(.., heads)| heads.facts.is_empty()) {
        for (.., heads) in &mut all {
            let measures = heads.columns().cloned().collect();
            *heads = ResultHeader { measures, ..ResultHeader::default() };
        }
    }
    let Some((_, path, heads)) = all.first() else {
        return Err(SweepError::Nothing { what: "merge", hint: "name the files of all shards" }.into());
    };
    let whole = |heads: &ResultHeader| -> Vec<(String, String)> {
        heads.facts.iter().filter(|(name, _)| name != "shard").cloned().collect()
    };
    for (_, other, theirs) in &all[1..] {
        check_same_plan(other, &whole(theirs), &whole(heads)).map_err(|problem| match problem {
            SweepError::DifferentPlan { what, was, now, .. } => {
                let files = Box::new([(*other).clone(), (*path).clone()]);
                SweepError::MixedShards { files, what, values: Box::new([was, now]) }
            }
            problem => problem,
        })?;
        if theirs.axes != heads.axes || theirs.measures != heads.measures {
            let why = format!("its columns differ from those of {}", path.display());
            return Err(SweepError::UnusableFile { path: (*other).clone(), why }.into());
        }
    }
    let mut heads = heads.clone();
    if let Some((_, shard)) = heads.facts.iter_mut().find(|(name, _)| name == "shard") {
        *shard = Shard::WHOLE.to_string();
    }
    let points: Option<u64> = heads.fact("points").and_then(|text| text.parse().ok());
    all.sort_by_key(|(first, ..)| *first);
    let mut tally = ResultSummary::new(&heads);
    let mut problem = None;
    let written = output::write(to, |out| {
        let mut writer = Writer::new(to, out, &heads)?;
        let mut next = 0;
        let mut wrong = |from: u64, to: u64, twice: bool| {
            problem = Some(SweepError::PointCoverage { from, to, twice });
            io::Error::from(io::ErrorKind::InvalidInput)
        };
        for (_, path, _) in &all {
            for row in Reader::open(path).map_err(io::Error::other)? {
                let row = row?;
                if row.index != next {
                    return Err(wrong(next.min(row.index), next.max(row.index), row.index < next));
                }
                next += 1;
                tally.count(&row);
                writer.row(&row)?;
            }
        }
        match points {
            Some(points) if points != next => Err(wrong(next, points, false)),
            _ => writer.finish(),
        }
    });
    if let Some(problem) = problem {
        return Err(problem.into());
    }
    written?;
    if !is_parquet(to) {
        let path = manifest::beside(to);
        match heads.facts.is_empty() {
            // that of an earlier file of this name
            true => drop(std::fs::remove_file(path)),
            false => manifest::write(&path, heads.facts.iter())?,
        }
    }
    Ok(tally)
}
