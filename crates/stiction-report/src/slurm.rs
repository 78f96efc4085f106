//! A job array for the batch system Slurm: one job for each shard of a sweep.
use crate::text::quote;
use std::path::Path;

/// Options that each job has instead of those that were given, and whether a value follows them.
const REPLACED: [(&str, bool); 5] =
    [("--slurm", true), ("--output", true), ("-o", true), ("--resume", false), ("--json", false)];

/// The script, from the words of the command that asked for it.
pub fn job_array(words: impl Iterator<Item = String>, output: &Path, shards: u32, threads: Option<u16>) -> String {
    let ending = output.extension().unwrap_or_default().to_string_lossy();
    let stem = output.with_extension("").to_string_lossy().into_owned();
    let command: Vec<String> = kept(words).iter().map(|word| quote(word)).collect();
    let cpus = threads.map_or_else(String::new, |threads| format!("#SBATCH --cpus-per-task={threads}\n"));
    let threads = if threads.is_some() { "" } else { " --threads \"${SLURM_CPUS_PER_TASK:-1}\"" };
    let parts = (1..=shards).map(|i| quote(&format!("{stem}-{i}.{ending}"))).collect::<Vec<_>>();
    // a pattern would also find what other sweeps have left
    let merge =
        if shards <= 20 { parts.join(" ") } else { format!("$(seq -f {}-%.0f.{ending} {shards})", quote(&stem)) };
    format!(
        "#!/bin/sh\n\
         #SBATCH --job-name=stiction-sweep\n\
         #SBATCH --array=1-{shards}\n\
         {cpus}\
         # Submit with sbatch; submitted again, each job continues where it was. When all have ended:\n\
         # stiction merge {merge} -o {whole}\n\
         exec stiction {command} -o {stem}-\"$SLURM_ARRAY_TASK_ID\".{ending} --shard \"$SLURM_ARRAY_TASK_ID\"/{shards} --resume{threads}\n",
        whole = quote(&output.to_string_lossy()),
        command = command.join(" "),
        stem = quote(&stem),
    )
}

/// The words without the options that each job replaces.
fn kept(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut out = Vec::new();
    let mut skip = false;
    for word in words {
        if skip {
            skip = false;
            continue;
        }
        let replaced = REPLACED.iter().find(|(name, value)| {
            let joined = *value && (word.starts_with(&format!("{name}=")) || (*name == "-o" && word.starts_with(name)));
            word == *name || joined
        });
        match replaced {
            Some((name, value)) => skip = *value && word == *name,
            None => out.push(word),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::job_array;
    use std::path::Path;

    #[test]
    fn the_command_is_kept_but_for_what_each_job_replaces() {
        let words = "sweep a7 --vary k=0.5:8:40 --slurm 30 --measure a,b=v*2 -oout/a7.parquet --json".split(' ');
        let script = job_array(words.map(str::to_owned), Path::new("out/a7.parquet"), 30, Some(4));
        let last = script.lines().last().unwrap();
        let expected = "exec stiction sweep a7 --vary k=0.5:8:40 --measure 'a,b=v*2' \
                        -o out/a7-\"$SLURM_ARRAY_TASK_ID\".parquet --shard \"$SLURM_ARRAY_TASK_ID\"/30 --resume";
        assert_eq!(last, expected);
        assert!(script.contains("#SBATCH --array=1-30\n#SBATCH --cpus-per-task=4\n"));
        assert!(script.contains("stiction merge $(seq -f out/a7-%.0f.parquet 30) -o out/a7.parquet"));
    }
}
