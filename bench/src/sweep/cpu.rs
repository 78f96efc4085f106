//! Time by the clock and of the processors.
use std::time::Instant;

/// What some work took \[s\].
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// By the clock.
    pub wall: f64,
    /// Of all processors.
    pub cpu: f64,
}

impl Spent {
    /// Longer than anything.
    pub const NEVER: Self = Self { wall: f64::INFINITY, cpu: f64::INFINITY };

    /// The shorter of each.
    pub fn best(self, other: Self) -> Self {
        Self { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu) }
    }
    /// A part of it.
    pub fn per(self, count: f64) -> Self {
        Self { wall: self.wall / count, cpu: self.cpu / count }
    }
}

/// Processor time of this program so far, where the system tells, in ticks of a hundredth of a second.
fn cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // the name of the program, in parentheses, may have spaces
    let rest = text.rsplit_once(')')?.1;
    let ticks: Vec<f64> = rest.split_whitespace().skip(11).take(2).filter_map(|x| x.parse().ok()).collect();
    Some(ticks.iter().sum::<f64>() / 100.0)
}

/// Does some work and says what it took. Where the system does not tell, the processor counts as busy all the time.
pub fn time(work: impl FnOnce()) -> Spent {
    let (before, start) = (cpu(), Instant::now());
    work();
    let wall = start.elapsed().as_secs_f64();
    let cpu = before.zip(cpu()).map_or(wall, |(before, after)| after - before);
    Spent { wall, cpu }
}
