//! The law of a contact whose parameters follow from those that were fitted.
//!
//! Parameters of laws are expressions over the fitted ones. Their values and derivatives are taken from the scenario itself, built
//! with the fitted values and with values beside them; the standard error follows by the chain rule, `d² = gᵀ C g`.
use super::bound_record::BoundRecord;
use crate::fit::{Fit, Parameter};
use crate::identify::{Estimate, Identifiability};
use crate::statistics::student_t_quantile;
use crate::{Error, ParameterGroup, Spec};

/// Step of a difference quotient, relative to the value or to a thousandth of the range: expressions are exact to some 1e-16, so that
/// rounding leaves 1e-10 of the quotient, and curvature some 1e-6.
const STEP: f64 = 1e-6;

/// The laws of all contacts, by the names of the contacts.
type Laws = Vec<(String, Spec)>;

/// A law with what is known of its parameters.
pub(super) struct ContactLaw {
    /// Name of the contact.
    pub contact: String,
    pub spec: Spec,
    /// The parameters that depend on fitted ones.
    pub estimates: Vec<Estimate>,
}

/// The laws of the contacts that depend on fitted parameters, for the constants of the first record. `estimates` are those of the
/// parameters of the fit, in its order.
pub(super) fn contact_laws(
    record: &BoundRecord<'_>,
    parameters: &[Parameter],
    fit: &Fit,
    estimates: &[Estimate],
    level: f64,
) -> Result<Vec<ContactLaw>, Error> {
    let laws = record.laws(&fit.values)?;
    let free: Vec<usize> = (0..parameters.len()).filter(|&j| parameters[j].low < parameters[j].high).collect();
    let at = |j: usize, x: f64| {
        let mut q = fit.values.clone();
        q[j] = x;
        record.laws(&q).ok()
    };
    // a value beside each fitted one, and the laws there
    let mut beside = Vec::new();
    for &j in &free {
        let (p, x) = (&parameters[j], fit.values[j]);
        let step = STEP * x.abs().max(1e-3 * (p.high - p.low).min(1.0));
        let other = [x + step, x - step].into_iter().filter(|x| (p.low..=p.high).contains(x));
        if let Some(found) = other.into_iter().find_map(|x| Some((j, x, at(j, x)?))) {
            beside.push(found);
        }
    }
    let ends: Vec<(usize, [Option<Laws>; 2])> =
        free.iter().map(|&j| (j, estimates[j].interval.map(|x| if x.is_finite() { at(j, x) } else { None }))).collect();
    let mut out = Vec::new();
    for (k, (contact, spec)) in laws.iter().enumerate() {
        let value = |laws: &[(String, Spec)], key: &str| laws.get(k).and_then(|(_, spec)| spec.get(key).ok());
        let mut found = Vec::new();
        for part in ParameterGroup::ALL {
            for (param, here) in spec.rows(part) {
                let key = part.key(param.name);
                let slope = |(j, x, laws): &(usize, f64, Laws)| {
                    let slope = (value(laws, &key)? - here) / (x - fit.values[*j]);
                    (slope != 0.0).then_some((*j, slope))
                };
                let slopes: Vec<(usize, f64)> = beside.iter().filter_map(slope).collect();
                let mapped = |j: usize| {
                    let ends = ends.iter().find(|(other, _)| *other == j).map(|(_, ends)| ends);
                    [0, 1].map(|side| value(ends?[side].as_ref()?, &key))
                };
                let estimate = match slopes[..] {
                    [] => continue,
                    [(j, slope)] => of_one(&key, param.unit, here, slope, &estimates[j], mapped(j)),
                    _ => of_several(&key, param.unit, here, &slopes, (fit, level), estimates, [param.min, param.max]),
                };
                found.push(estimate);
            }
        }
        if !found.is_empty() {
            out.push(ContactLaw { contact: contact.clone(), spec: spec.clone(), estimates: found });
        }
    }
    Ok(out)
}

/// A function of one fitted parameter: its interval is that of the parameter, mapped.
fn of_one(key: &str, unit: &str, value: f64, slope: f64, of: &Estimate, ends: [Option<f64>; 2]) -> Estimate {
    let open = if slope > 0.0 { [f64::NEG_INFINITY, f64::INFINITY] } else { [f64::INFINITY, f64::NEG_INFINITY] };
    let [a, b] =
        [0, 1].map(|side| if of.interval[side].is_nan() { f64::NAN } else { ends[side].unwrap_or(open[side]) });
    let interval = [a.min(b), a.max(b)];
    let e = Estimate::new(key, unit, value, slope.abs() * of.error, interval);
    match of.identifiability {
        Identifiability::AtBound => e.at_bound(interval),
        Identifiability::Unidentifiable => Estimate { identifiability: Identifiability::Unidentifiable, ..e },
        _ => e,
    }
}

/// A function of several fitted parameters, linearised; `range` is what the law allows.
fn of_several(
    key: &str,
    unit: &str,
    value: f64,
    slopes: &[(usize, f64)],
    (fit, level): (&Fit, f64),
    estimates: &[Estimate],
    [least, most]: [f64; 2],
) -> Estimate {
    let known = |j: usize| !fit.bound[j];
    let pairs = slopes.iter().flat_map(|one| slopes.iter().map(move |other| (one, other)));
    let pairs = pairs.filter(|((a, _), (b, _))| known(*a) && known(*b));
    let variance: f64 = pairs.map(|((a, da), (b, db))| da * db * fit.covariance.at(*a, *b)).sum();
    let error = variance.max(0.0).sqrt();
    let inflation = slopes.iter().map(|(j, _)| fit.variance_inflation(*j)).fold(1.0, f64::max);
    let half = student_t_quantile(0.5 + 0.5 * level, (fit.degrees_of_freedom / inflation).max(1.0)) * error;
    let e = Estimate::new(key, unit, value, error, [(value - half).max(least), (value + half).min(most)]);
    let all = |what: Identifiability| slopes.iter().all(|(j, _)| estimates[*j].identifiability == what);
    // the part of the sum that the records do not tell may still be small against the rest
    let lost = |(j, slope): &(usize, f64)| {
        estimates[*j].identifiability == Identifiability::Unidentifiable
            && !estimates[*j].error.is_finite()
            && *slope != 0.0
    };
    if all(Identifiability::AtBound) {
        // each parameter reaches from its bound to one side, and all of them together
        let reach = |(j, slope): &(usize, f64)| estimates[*j].interval.map(|x| slope * (x - fit.values[*j]));
        let ends = slopes.iter().map(reach).map(|[a, b]| [a.min(b), a.max(b)]);
        let [low, high] = ends.fold([value; 2], |[low, high], [a, b]| [low + a, high + b]);
        e.at_bound([low.max(least), high.min(most)])
    } else if slopes.iter().any(lost) {
        e.unidentifiable()
    } else {
        e
    }
}
