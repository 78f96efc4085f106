//! Break-away against the time of rest and against the rate of the force, as tables.
use super::BreakawayEvent;
use super::summary::mean;
use crate::identify::ResultTable;

/// Largest ratio of neighbouring values within one group: repetitions of an experiment differ by some percent, conditions that are
/// chosen to differ do so by a factor of two or more.
const SAME: f64 = 1.5;

/// A table for each of the two that varies between groups of break-aways; none for one that is the same in all.
pub(super) fn tables(events: &[BreakawayEvent]) -> Vec<ResultTable> {
    let rest = ("by rest", "Break-away against the time of rest", "time of rest [s]");
    let rate = ("by rate", "Break-away against the rate of the force", "rate [N/s]");
    let rest = table(rest, events.iter().map(|e| (e.dwell, e)));
    let rate = table(rate, events.iter().map(|e| (e.rate.abs(), e)));
    rest.into_iter().chain(rate).collect()
}

fn table<'a>(
    (key, title, condition): (&str, &str, &str),
    events: impl Iterator<Item = (f64, &'a BreakawayEvent)>,
) -> Option<ResultTable> {
    let mut known: Vec<(f64, &BreakawayEvent)> = events.filter(|(x, _)| *x > 0.0 && x.is_finite()).collect();
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut groups: Vec<Vec<(f64, &BreakawayEvent)>> = Vec::new();
    for (x, event) in known {
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|(before, _)| x <= SAME * before) => group.push((x, event)),
            _ => groups.push(vec![(x, event)]),
        }
    }
    if groups.len() < 2 {
        return None;
    }
    let row = |(k, group): (usize, &Vec<(f64, &BreakawayEvent)>)| {
        // of positive quantities that span decades, the geometric mean
        let middle = (group.iter().map(|(x, _)| x.ln()).sum::<f64>() / group.len() as f64).exp();
        let forces: Vec<(f64, f64)> = group.iter().map(|(_, e)| (e.force, e.error)).collect();
        let force = mean("fs", "N", &forces);
        let cells = vec![middle, group[0].0, group[group.len() - 1].0, group.len() as f64, force.value, force.error];
        ((k + 1).to_string(), cells)
    };
    let columns = ["group", condition, "from", "to", "break-aways", "force [N]", "± [N]"];
    Some(ResultTable {
        key: key.to_owned(),
        title: title.to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: groups.iter().enumerate().map(row).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::change_point::MotionSignal;
    use super::super::event::BreakawayEvent;
    use super::tables;

    fn event(dwell: f64, rate: f64, force: f64) -> BreakawayEvent {
        BreakawayEvent {
            motion: 0,
            t: 0.0,
            t_error: 0.0,
            direction: 1.0,
            force,
            error: 0.1,
            distance: 0.0,
            dwell,
            rate,
            load: f64::NAN,
            gain: 20.0,
            signal: MotionSignal::Position,
            begin: 0,
            window: 0..1,
        }
    }

    #[test]
    fn break_aways_of_one_condition_are_one_row() {
        // three rests of about one second and two of about ten, all pushed alike; one rest that began before the record
        let rests = [(1.0, 5.0), (10.0, 6.1), (1.1, 5.2), (0.9, 4.8), (9.0, 5.9), (f64::NAN, 7.0)];
        let events: Vec<BreakawayEvent> = rests.iter().map(|(rest, force)| event(*rest, 2.0, *force)).collect();
        let found = tables(&events);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].key.as_str(), found[0].rows.len()), ("by rest", 2));
        let row = |k: usize| found[0].rows[k].1.clone();
        assert_eq!(row(0)[1..4], [0.9, 1.1, 3.0]);
        assert_eq!(row(1)[1..4], [9.0, 10.0, 2.0]);
        // the means of 5, 5.2 and 4.8, and of 6.1 and 5.9, with the deviation over the root of the number: rounding
        assert!((row(0)[4] - 5.0).abs() < 1e-12 && (row(0)[5] - 0.2 / 3.0_f64.sqrt()).abs() < 1e-12, "{:?}", row(0));
        assert!((row(1)[4] - 6.0).abs() < 1e-12 && (row(1)[5] - 0.1).abs() < 1e-12, "{:?}", row(1));
        // a force that was raised at three rates, in either direction
        let events: Vec<BreakawayEvent> = [0.1, -1.0, 10.0].iter().map(|rate| event(1.0, *rate, 5.0)).collect();
        let found = tables(&events);
        assert_eq!((found.len(), found[0].key.as_str(), found[0].rows.len()), (1, "by rate", 3));
    }
}
