//! The vector of free parameters, and its transformation to the parameters of a law.
use super::search_range::range;
use super::trajectory::PlantForces;
use super::{DataScales, DynamicOptions};
use crate::LawError;
use crate::NumericsError;
use crate::fit::Parameter;
use crate::identify::MotionRecord;
use crate::identify::parameter::{FreeParameter, MassOption, is_free_by_default};
use crate::similar_names::similar;
use crate::{Error, ParameterGroup, Spec};
use stiction_core::Input;
use stiction_core::registry::{NO_DERIVATIVE, Wrappers};

/// The quantity that a free parameter sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterTarget {
    /// A parameter of the law; see [`ParameterVector::values`] for their order.
    Law(usize),
    MassOption,
    Offset,
    /// The coefficient of a term of the record.
    Term(usize),
}

/// A free parameter.
#[derive(Clone, Debug)]
pub(super) struct UnknownParameter {
    pub key: String,
    pub unit: String,
    pub target: ParameterTarget,
    /// The parameter that this one must not be below, as `fs >= fc`: the fit then uses the excess over it.
    pub excess_over: Option<usize>,
}

/// A law and its free parameters.
#[derive(Clone, Debug)]
pub(super) struct ParameterVector {
    pub spec: Spec,
    pub unknowns: Vec<UnknownParameter>,
    pub parameters: Vec<Parameter>,
    /// Values of law, reverse law and load map, concatenated.
    base: Vec<f64>,
    /// For each value the index that it copies: a reverse value that is not set copies the forward one.
    mirrors: Vec<usize>,
    /// Column of the derivative by each value.
    pub slots: Vec<usize>,
    /// Number of columns of derivatives.
    pub columns: usize,
    /// Free parameters of the law, each after the parameter that it exceeds.
    order: Vec<usize>,
    wrapped: [bool; 2],
    /// Whether the force jumps at a reversal of the velocity.
    pub jumps: bool,
}

/// Largest force of a term, over that of the record: terms may cancel each other down to one part in as many.
const MOST_CANCELLED: f64 = 100.0;
const PARTS: [ParameterGroup; 3] = [ParameterGroup::Law, ParameterGroup::Reverse, ParameterGroup::Load];

impl ParameterVector {
    pub fn new(spec: &Spec, options: &DynamicOptions, scales: &DataScales) -> Result<Self, Error> {
        let law = spec.law();
        let n = law.params.len();
        let keys: Vec<String> =
            PARTS.iter().flat_map(|part| part.params(law).iter().map(|p| part.key(p.name))).collect();
        let params: Vec<_> = PARTS.iter().flat_map(|part| part.params(law)).collect();
        let free: Vec<FreeParameter> = if options.free.is_empty() {
            let open = |i: &usize| is_free_by_default(law, params[*i]) && !spec.is_given(&keys[*i]);
            let also =
                |i: &usize| spec.has(ParameterGroup::Reverse) && *i >= n && *i < 2 * n && spec.is_given(&keys[*i]);
            let law = (0..n).filter(open).map(|i| FreeParameter::new(&keys[i]));
            // a given reverse value is an initial value
            law.chain((0..2 * n).filter(also).map(|i| FreeParameter::new(&keys[i]))).collect()
        } else {
            options.free.clone()
        };
        let mut free = free;
        for bound in &options.bounds {
            match free.iter_mut().find(|free| free.key == bound.key) {
                Some(known) => *known = bound.clone(),
                None => free.push(bound.clone()),
            }
        }
        let mut out = Self {
            spec: spec.clone(),
            unknowns: Vec::new(),
            parameters: Vec::new(),
            base: PARTS.iter().flat_map(|part| spec.values(*part)).collect(),
            mirrors: (0..2 * n + 2).map(|i| if (n..2 * n).contains(&i) { i - n } else { i }).collect(),
            slots: vec![NO_DERIVATIVE; 2 * n + 2],
            columns: free.len(),
            order: Vec::new(),
            wrapped: [spec.has(ParameterGroup::Reverse), spec.has(ParameterGroup::Load)],
            jumps: force_jumps_at_reversal(law.name)?,
        };
        for (i, key) in keys.iter().enumerate().take(2 * n).skip(n) {
            if spec.is_given(key) || free.iter().any(|f| f.key == *key) {
                out.mirrors[i] = i;
                out.wrapped[0] = true;
            }
        }
        let all = &free;
        for free in all {
            let Some(i) = keys.iter().position(|key| *key == free.key) else {
                let known = keys.iter().map(String::as_str);
                let near = similar(&free.key, known).into_iter().map(str::to_owned).collect();
                return Err(Error::Law(LawError::UnknownParam { law: law.name, name: free.key.clone(), near }));
            };
            out.wrapped[1] |= i >= 2 * n;
            let mut p = range(&free.key, params[i], scales);
            if spec.is_given(&keys[i]) {
                p.start = out.base[i];
            }
            if i == 2 * n + 1 {
                p = Parameter::new(&free.key, 1.0 / scales.load).within(-10.0 / scales.load, 10.0 / scales.load);
            }
            let excess_over =
                excess_over(law.relations, law.params, i, n).map(|j| if i >= n { out.mirrors[j + n] } else { j });
            if excess_over.is_some() {
                // an excess over another parameter: lower bound zero
                p = Parameter::new(&free.key, 0.2 * p.start).within(0.0, p.high).with_scale(0.2 * p.start);
            }
            let below = excess_over.map_or(0.0, |j| out.base[j]);
            let chosen = |j: usize| all.iter().find(|other| other.key == keys[j]);
            let start_below = excess_over.and_then(|j| chosen(j)?.start).unwrap_or(below);
            if let Some(j) = excess_over.filter(|_| free.low.is_some() || free.high.is_some()) {
                reject_bounds(free, below, spec.is_given(&keys[j]))?;
            }
            apply_bounds(&mut p, free, below, start_below);
            // a parameter that must not exceed one that is held
            let above = exceeded_by(law.relations, law.params, i, n);
            let above = above.map(|j| if i >= n { out.mirrors[j + n] } else { j });
            if let Some(j) = above.filter(|j| chosen(*j).is_none()) {
                let high = p.high.min(out.base[j] - below).max(p.low);
                p = Parameter { high, start: p.start.min(high), ..p };
            }
            out.unknowns.push(UnknownParameter {
                key: free.key.clone(),
                unit: params[i].unit.to_owned(),
                target: ParameterTarget::Law(i),
                excess_over,
            });
            out.parameters.push(p);
        }
        for (slot, unknown) in out.unknowns.iter().enumerate() {
            if let ParameterTarget::Law(i) = unknown.target {
                out.slots[i] = slot;
            }
        }
        for i in n..2 * n {
            if out.mirrors[i] != i {
                out.slots[i] = out.slots[i - n];
            }
        }
        out.order = out.sorted();
        let mut add = |key: &str, unit: &str, target: ParameterTarget, parameter: Parameter| {
            out.unknowns.push(UnknownParameter {
                key: key.to_owned(),
                unit: unit.to_owned(),
                target,
                excess_over: None,
            });
            out.parameters.push(parameter);
        };
        if options.mass == MassOption::Estimated {
            add(
                "mass",
                "kg",
                ParameterTarget::MassOption,
                Parameter::new("mass", scales.mass).within(0.0, 10.0 * scales.mass),
            );
        }
        if options.offset {
            let size = scales.force;
            add(
                "offset",
                "N",
                ParameterTarget::Offset,
                Parameter::new("offset", 0.0).within(-4.0 * size, 4.0 * size).with_scale(0.1 * size),
            );
        }
        Ok(out)
    }

    /// With the coefficients of the terms of these records as further unknowns.
    pub fn with_terms(mut self, motions: &[MotionRecord], scales: &DataScales) -> Self {
        for (k, term) in motions.first().map_or(&[][..], |first| &first.terms).iter().enumerate() {
            let all = || motions.iter().filter_map(|m| m.terms.get(k)).flat_map(|term| &term.values);
            let rms = (all().map(|x| x * x).sum::<f64>() / all().count().max(1) as f64).sqrt();
            // at this size the term alone is as large as the force
            let size = scales.force / rms.max(f64::MIN_POSITIVE);
            self.unknowns.push(UnknownParameter {
                key: term.name.clone(),
                unit: "N".to_owned(),
                target: ParameterTarget::Term(k),
                excess_over: None,
            });
            // several terms may cancel in part
            let bound = (MOST_CANCELLED * size).min(f64::MAX);
            self.parameters
                .push(Parameter::new(&term.name, 0.0).within(-bound, bound).with_scale(0.1 * size.min(f64::MAX)));
        }
        self
    }
    /// The same law without free parameters.
    pub fn fixed(mut self) -> Self {
        self.unknowns.clear();
        self.parameters.clear();
        self.order.clear();
        self.slots.fill(NO_DERIVATIVE);
        self.columns = 0;
        self
    }

    /// Values of law, reverse law and load map, and the other forces; `mass` is used if it is not free.
    pub fn values(&self, q: &[f64], mass: f64) -> (Vec<f64>, PlantForces) {
        let mut values = self.base.clone();
        let mut plant = PlantForces { mass, ..PlantForces::default() };
        for (unknown, q) in self.unknowns.iter().zip(q) {
            match unknown.target {
                ParameterTarget::Law(i) => values[i] = *q,
                ParameterTarget::MassOption => plant.mass = *q,
                ParameterTarget::Offset => plant.offset = *q,
                // they come in their order
                ParameterTarget::Term(_) => plant.terms.push(*q),
            }
        }
        for (i, from) in self.mirrors.iter().enumerate() {
            values[i] = values[*from];
        }
        for &j in &self.order {
            if let (ParameterTarget::Law(i), Some(excess_over)) =
                (self.unknowns[j].target, self.unknowns[j].excess_over)
            {
                values[i] += values[excess_over];
            }
        }
        for (i, from) in self.mirrors.iter().enumerate() {
            values[i] = values[*from];
        }
        (values, plant)
    }
    /// Parameters of the law and of its wrappers.
    pub fn parts<'a>(&self, values: &'a [f64]) -> (&'a [f64], Wrappers<'a>) {
        let n = self.spec.law().params.len();
        let (own, rest) = values.split_at(n);
        let (reverse, load) = rest.split_at(n);
        let wrappers = Wrappers {
            reverse: self.wrapped[0].then_some(reverse),
            load: self.wrapped[1].then_some(load),
            noise: None,
        };
        (own, wrappers)
    }
    /// Chain rule from derivatives by parameters of the law to derivatives by free parameters: `fs = fc + excess`.
    pub fn apply_chain_rule(&self, columns: &mut [f64], count: usize) {
        for &j in self.order.iter().rev() {
            let Some(slot) = self.base_of(j) else { continue };
            for k in 0..count {
                let more = columns[j * count + k];
                columns[slot * count + k] += more;
            }
        }
    }
    /// Parameters of the law as affine functions of the free parameters: `p = A·q + c`; value and row of `A` for each.
    pub fn law_parameters(&self, q: &[f64]) -> Vec<(f64, Vec<f64>)> {
        let (values, plant) = self.values(q, 0.0);
        let n = q.len();
        let mut rows: Vec<Vec<f64>> = (0..n).map(|j| (0..n).map(|i| f64::from(u8::from(i == j))).collect()).collect();
        for &j in &self.order {
            if let Some(slot) = self.base_of(j) {
                let under = rows[slot].clone();
                rows[j].iter_mut().zip(under).for_each(|(x, y)| *x += y);
            }
        }
        let value = |unknown: &UnknownParameter| match unknown.target {
            ParameterTarget::Law(i) => values[i],
            ParameterTarget::MassOption => plant.mass,
            ParameterTarget::Offset => plant.offset,
            ParameterTarget::Term(k) => plant.terms[k],
        };
        self.unknowns.iter().map(value).zip(rows).collect()
    }
    /// The free parameter that free parameter `j` exceeds.
    fn base_of(&self, j: usize) -> Option<usize> {
        self.unknowns[j].excess_over.map(|i| self.slots[i]).filter(|slot| *slot != NO_DERIVATIVE && *slot != j)
    }
    fn sorted(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        // at most one round per parameter in a chain of excesses
        for _ in 0..self.unknowns.len() {
            for j in 0..self.unknowns.len() {
                if !order.contains(&j) && self.base_of(j).is_none_or(|slot| order.contains(&slot)) {
                    order.push(j);
                }
            }
        }
        order
    }
}

/// The parameter that parameter `i` must not be below, by a relation of the form `a >= b`.
fn excess_over(
    relations: &[stiction_core::Relation],
    params: &[stiction_core::Param],
    i: usize,
    n: usize,
) -> Option<usize> {
    (i < 2 * n).then(|| ordered(relations, params).find(|[_, more]| *more == i % n).map(|[less, _]| less)).flatten()
}

/// The parameter that parameter `i` must not be above, by a relation of this form.
fn exceeded_by(
    relations: &[stiction_core::Relation],
    params: &[stiction_core::Param],
    i: usize,
    n: usize,
) -> Option<usize> {
    (i < 2 * n).then(|| ordered(relations, params).find(|[less, _]| *less == i % n).map(|[_, more]| more)).flatten()
}

/// The pairs of parameters of which the first must not be above the second.
fn ordered(relations: &[stiction_core::Relation], params: &[stiction_core::Param]) -> impl Iterator<Item = [usize; 2]> {
    let find = |name: &str| params.iter().position(|p| p.name == name.trim());
    relations.iter().filter_map(move |relation| {
        let (left, right) = relation.text.split_once(['>', '<'])?;
        let (left, right) = (find(left)?, find(right.trim_start_matches('='))?);
        Some(if relation.text.contains('>') { [right, left] } else { [left, right] })
    })
}

/// Whether the force of a law jumps at a reversal of the velocity: whether it can hold a body at rest.
pub(super) fn force_jumps_at_reversal(law: &str) -> Result<bool, Error> {
    let model = Spec::new(law)?.build()?;
    let z = vec![0.0; model.len()];
    Ok(model.hold(&z, &Input::at(0.0), 1.0) > 0.0)
}

/// Rejects bounds of a parameter that exceeds another free parameter. Both bounds at the value of the other mean that there is
/// no excess.
fn reject_bounds(free: &FreeParameter, below: f64, held: bool) -> Result<(), NumericsError> {
    let none = free.low == Some(below) && free.high == Some(below);
    let high = free.high.unwrap_or(f64::INFINITY);
    if !none && !held {
        let name = "bound of a level that lies above another";
        return Err(NumericsError::InvalidValue {
            name,
            value: free.low.or(free.high).unwrap_or(below),
            must: "none, unless the other is held",
        });
    }
    if high < below {
        return Err(NumericsError::InvalidValue {
            name: "upper bound",
            value: high,
            must: "at least the level that it lies above",
        });
    }
    Ok(())
}

/// Applies the caller's constraints to a parameter; those of an excess are given for the value itself.
fn apply_bounds(p: &mut Parameter, free: &FreeParameter, below: f64, start_below: f64) {
    let log = free.log.unwrap_or(p.log);
    p.low = free.low.map_or(p.low, |x| (x - below).max(if p.log || below != 0.0 { 0.0 } else { f64::MIN }));
    p.high = free.high.map_or(p.high, |x| (x - below).max(p.low));
    p.start = free.start.map_or(p.start, |x| x - start_below).clamp(p.low, p.high);
    // a logarithm requires a positive lower bound
    p.log = log && p.low > 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALES: DataScales = DataScales {
        force: 5.0,
        speed: [1e-3, 1e-1],
        stiffness: 1e5,
        rigid_stiffness: 1e8,
        step: 1e-3,
        duration: 10.0,
        load: 1.0,
        mass: 1.0,
    };

    fn starts(bounds: &[(&str, f64)]) -> Vec<(String, f64, f64)> {
        let bounds =
            bounds.iter().map(|&(key, x)| FreeParameter { start: Some(x), ..FreeParameter::new(key) }).collect();
        let options = DynamicOptions { bounds, ..DynamicOptions::default() };
        let vector =
            ParameterVector::new(&Spec::new("lugre").expect("a law"), &options, &SCALES).expect("free parameters");
        let values: Vec<f64> = vector.parameters.iter().map(|p| p.start).collect();
        let found = vector.law_parameters(&values).into_iter().map(|(x, _)| x);
        let named = vector.unknowns.iter().map(|unknown| unknown.key.clone());
        named.zip(found).zip(&vector.parameters).map(|((key, x), p)| (key, x, p.high)).collect()
    }

    #[test]
    fn levels_start_where_they_are_told_to() {
        // the default of fc is 1; the static level is fitted as an excess over it
        let all = starts(&[("fc", 3.0), ("fs", 4.0)]);
        let of = |key: &str| all.iter().find(|(name, ..)| name == key).expect("a free parameter").1;
        assert_eq!((of("fc"), of("fs")), (3.0, 4.0));
    }

    #[test]
    fn a_level_does_not_exceed_one_that_is_held() {
        let free = ["fc", "sigma0"].map(FreeParameter::new).to_vec();
        let options = DynamicOptions { free, ..DynamicOptions::default() };
        let mut law = Spec::new("lugre").expect("a law");
        law.set("fs", 2.0).expect("a level");
        let vector = ParameterVector::new(&law, &options, &SCALES).expect("free parameters");
        assert_eq!(vector.parameters[0].high, 2.0);
    }
}
