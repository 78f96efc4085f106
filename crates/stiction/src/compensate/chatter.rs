//! Chatter: a command that goes to and fro by more than friction needs, again and again, without being asked to.
use super::task::ServoTask;
use crate::analysis::turning_points::turning_points;

/// Share of the break-away force that the amplitude must exceed; less hardly moves the contact.
const CHATTER_SHARE: f64 = 0.5;
/// Jumps in a row that count as chatter: three to and three fro. A motion asks for four at most before it turns, those of its acceleration.
const MIN_JUMPS: usize = 6;

/// The amplitude that a command must exceed to count as chatter [N or N·m].
pub(super) fn least_amplitude(task: &ServoTask) -> f64 {
    CHATTER_SHARE * task.setting.law.breakaway
}

/// The amplitude of a command that jumps to and fro by more than friction needs [N or N·m]; `t` and `u` are times and samples.
pub(super) fn jumps(task: &ServoTask, t: &[f64], u: &[f64]) -> Option<f64> {
    let mut sign = 0.0;
    let mut turned = |t: f64| {
        let v = task.servo.reference.eval(t, t)[1];
        let turned = v * sign < 0.0;
        sign = if v == 0.0 { sign } else { v.signum() };
        turned
    };
    let turns: Vec<usize> = t.iter().enumerate().filter(|(_, t)| turned(**t)).map(|(k, _)| k).collect();
    // a jump is faster than the loop, however far the next one is
    let within = (1.0 / (task.setting.bandwidth() * task.servo.period)).ceil().max(1.0) as usize;
    alternating_jumps(u, 2.0 * least_amplitude(task), within, &turns)
}

/// Half of the mean jump of a command that jumps to and fro by more than `least`, each time within some samples, at least six times in a row.
/// `turns` are samples at which the reference turns, where a command may jump; none if the command does not do so.
pub fn alternating_jumps(u: &[f64], least: f64, within: usize, turns: &[usize]) -> Option<f64> {
    let rows = turning_points(u, least);
    // first and last row are no turning points
    let rows = rows.get(1..rows.len().saturating_sub(1)).unwrap_or_default();
    let (mut row, mut found) = (Vec::new(), Vec::new());
    let mut end = |row: &mut Vec<f64>| {
        if row.len() >= MIN_JUMPS {
            found.append(row);
        }
        row.clear();
    };
    for swing in rows.windows(2) {
        let (a, b) = (swing[0], swing[1]);
        let asked = turns.iter().any(|turn| (a..=b).contains(turn));
        let quick = (a..=b).any(|k| (u[(k + within).min(b)] - u[k]).abs() > least);
        if asked || !quick {
            end(&mut row);
        }
        if quick && !asked {
            row.push((u[b] - u[a]).abs());
        }
    }
    end(&mut row);
    (!found.is_empty()).then(|| 0.5 * found.iter().sum::<f64>() / found.len() as f64)
}
