//! What is sought of a law, and how it becomes the law's values.
use super::search_range::range;
use super::{DataScales, DynamicOptions};
use crate::LawError;
use crate::NumericsError;
use crate::fit::Parameter;
use crate::identify::parameter::{FreeParameter, MassOption, is_free_by_default};
use crate::near::near;
use crate::{Error, ParameterGroup, Spec};
use stiction_core::Input;
use stiction_core::registry::{Dress, HELD};

/// Where a number goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterTarget {
    /// To a parameter; see [`Sought::values`] for their order.
    Law(usize),
    MassOption,
    Offset,
}

/// One number that is sought.
#[derive(Clone, Debug)]
pub(super) struct UnknownParameter {
    pub key: String,
    pub unit: String,
    pub target: ParameterTarget,
    /// The parameter that this one cannot be below, as `fs >= fc`: then what is sought is the excess.
    pub excess_over: Option<usize>,
}

/// A law, and what is sought of it.
#[derive(Clone, Debug)]
pub(super) struct ParameterVector {
    pub spec: Spec,
    pub unknowns: Vec<UnknownParameter>,
    pub parameters: Vec<Parameter>,
    /// Values of law, reverse law and map of the load, one after another.
    base: Vec<f64>,
    /// The forward place of every reverse value that follows it, else its own.
    mirrors: Vec<usize>,
    /// The derivative that each value belongs to.
    pub slots: Vec<usize>,
    /// How many derivatives there are.
    pub columns: usize,
    /// The numbers that are sought of the law, each after the one it stands above.
    order: Vec<usize>,
    wrapped: [bool; 2],
    /// Whether the force jumps where the velocity changes its sign.
    pub jumps: bool,
}

const PARTS: [ParameterGroup; 3] = [ParameterGroup::Law, ParameterGroup::Reverse, ParameterGroup::Load];

impl ParameterVector {
    pub fn new(spec: &Spec, options: &DynamicOptions, scales: &DataScales) -> Result<Self, Error> {
        let law = spec.law();
        let n = law.params.len();
        let keys: Vec<String> =
            PARTS.iter().flat_map(|part| part.params(law).iter().map(|p| part.key(p.name))).collect();
        let params: Vec<_> = PARTS.iter().flat_map(|part| part.params(law)).collect();
        let free: Vec<FreeParameter> = if options.free.is_empty() {
            let open = |i: &usize| is_free_by_default(params[*i]) && !spec.is_given(&keys[*i]);
            let also =
                |i: &usize| spec.has(ParameterGroup::Reverse) && *i >= n && *i < 2 * n && spec.is_given(&keys[*i]);
            let law = (0..n).filter(open).map(|i| FreeParameter::new(&keys[i]));
            // a reverse value that was given is a start
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
            slots: vec![HELD; 2 * n + 2],
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
        for free in &free {
            let Some(i) = keys.iter().position(|key| *key == free.key) else {
                let known = keys.iter().map(String::as_str);
                let near = near(&free.key, known).into_iter().map(str::to_owned).collect();
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
                // an excess over another: from none
                p = Parameter::new(&free.key, 0.2 * p.start).within(0.0, p.high).sized(0.2 * p.start);
            }
            let below = excess_over.map_or(0.0, |j| out.base[j]);
            if let Some(j) = excess_over.filter(|_| free.low.is_some() || free.high.is_some()) {
                reject_bounds(free, below, spec.is_given(&keys[j]))?;
            }
            apply_bounds(&mut p, free, below);
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
                Parameter::new("offset", 0.0).within(-4.0 * size, 4.0 * size).sized(0.1 * size),
            );
        }
        Ok(out)
    }

    /// The same law with nothing sought.
    pub fn fixed(mut self) -> Self {
        self.unknowns.clear();
        self.parameters.clear();
        self.order.clear();
        self.slots.fill(HELD);
        self.columns = 0;
        self
    }

    /// Values of law, reverse law and map of the load, mass and offset; `mass` if that is not sought.
    pub fn values(&self, q: &[f64], mass: f64) -> (Vec<f64>, f64, f64) {
        let (mut values, mut mass, mut offset) = (self.base.clone(), mass, 0.0);
        for (unknown, q) in self.unknowns.iter().zip(q) {
            match unknown.target {
                ParameterTarget::Law(i) => values[i] = *q,
                ParameterTarget::MassOption => mass = *q,
                ParameterTarget::Offset => offset = *q,
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
        (values, mass, offset)
    }
    /// The wrappers that are worn.
    pub fn parts<'a>(&self, values: &'a [f64]) -> (&'a [f64], Dress<'a>) {
        let n = self.spec.law().params.len();
        let (own, rest) = values.split_at(n);
        let (reverse, load) = rest.split_at(n);
        let dress =
            Dress { reverse: self.wrapped[0].then_some(reverse), load: self.wrapped[1].then_some(load), noise: None };
        (own, dress)
    }
    /// Columns by parameters become columns by what is sought: who moves takes along what stands above.
    pub fn apply_chain_rule(&self, columns: &mut [f64], count: usize) {
        for &j in self.order.iter().rev() {
            let Some(slot) = self.base_of(j) else { continue };
            for k in 0..count {
                let more = columns[j * count + k];
                columns[slot * count + k] += more;
            }
        }
    }
    /// The number that the caller knows, for each that is sought, as a sum of those sought and a rest that is held:
    /// `p = A·q + c`.
    pub fn law_parameters(&self, q: &[f64]) -> Vec<(f64, Vec<f64>)> {
        let (values, mass, offset) = self.values(q, 0.0);
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
            ParameterTarget::MassOption => mass,
            ParameterTarget::Offset => offset,
        };
        self.unknowns.iter().map(value).zip(rows).collect()
    }
    /// The number, sought too, that number `j` stands above.
    fn base_of(&self, j: usize) -> Option<usize> {
        self.unknowns[j].excess_over.map(|i| self.slots[i]).filter(|slot| *slot != HELD && *slot != j)
    }
    fn sorted(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        // as many rounds as there may be numbers one above the other
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

/// The parameter that parameter `i` must not be below, if a relation says so in as many words.
fn excess_over(
    relations: &[stiction_core::Relation],
    params: &[stiction_core::Param],
    i: usize,
    n: usize,
) -> Option<usize> {
    if i >= 2 * n {
        return None;
    }
    let find = |name: &str| params.iter().position(|p| p.name == name.trim());
    relations.iter().find_map(|relation| {
        let (left, right) = relation.text.split_once(['>', '<'])?;
        let (left, right) = (find(left)?, find(right.trim_start_matches('='))?);
        let (more, less) = if relation.text.contains('>') { (left, right) } else { (right, left) };
        (more == i % n).then_some(less)
    })
}

/// Whether a law's force jumps where the velocity changes its sign: whether it holds a body at rest.
fn force_jumps_at_reversal(law: &str) -> Result<bool, Error> {
    let model = Spec::new(law)?.build()?;
    let z = vec![0.0; model.len()];
    Ok(model.hold(&z, &Input::at(0.0), 1.0) > 0.0)
}

/// Bounds of a level that lies above another can be kept only if that one is held. Both bounds at the other's value say that
/// there is no excess.
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

/// What the caller says of a parameter; an excess is told as the value itself.
fn apply_bounds(p: &mut Parameter, free: &FreeParameter, below: f64) {
    let log = free.log.unwrap_or(p.log);
    p.low = free.low.map_or(p.low, |x| (x - below).max(if p.log || below != 0.0 { 0.0 } else { f64::MIN }));
    p.high = free.high.map_or(p.high, |x| (x - below).max(p.low));
    p.start = free.start.map_or(p.start, |x| x - below).clamp(p.low, p.high);
    // a logarithm has no zero to begin from
    p.log = log && p.low > 0.0;
}
