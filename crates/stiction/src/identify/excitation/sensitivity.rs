//! Sensitivities of the force of a law to its parameters.
use super::information_matrix::InformationMatrix;
use super::segment_path::SegmentPath;
use crate::LawError;
use crate::identify::parameter::{MassOption, is_free_by_default};
use crate::similar_names::similar;
use crate::{Error, ParameterGroup, Spec};
use stiction_core::Param;
use stiction_core::registry::{LawEntry, MeasuredMotion, NO_DERIVATIVE, Wrappers};

/// A parameter to determine.
#[derive(Clone, Debug)]
pub(super) struct UnknownParameter {
    pub key: String,
    pub unit: String,
    pub value: f64,
    /// Scale of the parameter, by which its derivative is multiplied.
    pub size: f64,
    /// The parameter; none for mass and offset.
    pub param: Option<&'static Param>,
}

/// A law whose force is differentiated by its parameters.
pub(super) struct SensitivityModel {
    law: &'static LawEntry,
    values: [Vec<f64>; 3],
    reverse: bool,
    load: bool,
    slots: Vec<usize>,
    columns: usize,
    mass: bool,
    offset: bool,
    pub unknowns: Vec<UnknownParameter>,
}

/// Friction along a path, and its scaled derivatives, one column after another.
pub(super) struct ForceSensitivity {
    pub force: Vec<f64>,
    pub slopes: Vec<f64>,
}

impl SensitivityModel {
    /// A law with assumed parameters. `free` are the parameters to determine; if empty, all that are free by default.
    pub fn new(spec: &Spec, free: &[String], mass: MassOption, moves: f64, offset: bool) -> Result<Self, Error> {
        spec.check()?;
        let law = spec.law();
        let n = law.params.len();
        let keys: Vec<String> = [ParameterGroup::Law, ParameterGroup::Reverse]
            .iter()
            .flat_map(|part| law.params.iter().map(|p| part.key(p.name)))
            .collect();
        let free_indices: Vec<usize> = if free.is_empty() {
            let own = (0..n).filter(|&i| is_free_by_default(law, &law.params[i]));
            own.chain((n..2 * n).filter(|&i| is_free_by_default(law, &law.params[i - n]) && spec.is_given(&keys[i])))
                .collect()
        } else {
            let find = |key: &String| {
                keys.iter().position(|known| known == key).ok_or_else(|| {
                    Error::Law(LawError::UnknownParam {
                        law: law.name,
                        name: key.clone(),
                        near: similar(key, keys.iter().map(String::as_str)).into_iter().map(str::to_owned).collect(),
                    })
                })
            };
            free.iter().map(find).collect::<Result<_, _>>()?
        };
        let values = [ParameterGroup::Law, ParameterGroup::Reverse, ParameterGroup::Load].map(|part| spec.values(part));
        let mut slots = vec![NO_DERIVATIVE; 2 * n + 2];
        let mut unknowns = Vec::new();
        for (slot, &i) in free_indices.iter().enumerate() {
            slots[i] = slot;
            let (param, value) = (&law.params[i % n], values[i / n][i % n]);
            let size = [value.abs(), param.default.abs()].into_iter().find(|x| *x > 0.0).unwrap_or(1.0);
            let (key, unit) = (keys[i].clone(), param.unit.to_owned());
            unknowns.push(UnknownParameter { key, unit, value, size, param: Some(param) });
        }
        for i in n..2 * n {
            // an unset reverse value equals the forward one
            if slots[i] == NO_DERIVATIVE && !spec.is_given(&keys[i]) {
                slots[i] = slots[i - n];
            }
        }
        let reverse = spec.has(ParameterGroup::Reverse) || free_indices.iter().any(|i| *i >= n);
        let mut out = Self {
            law,
            values,
            reverse,
            load: spec.has(ParameterGroup::Load),
            slots,
            columns: free_indices.len(),
            mass: mass == MassOption::Estimated,
            offset,
            unknowns,
        };
        let mut add = |key: &str, unit: &str, value: f64, size: f64| {
            out.unknowns.push(UnknownParameter {
                key: key.to_owned(),
                unit: unit.to_owned(),
                value,
                size,
                param: None,
            });
        };
        if mass == MassOption::Estimated {
            add("mass", "kg", moves, if moves > 0.0 { moves } else { 1.0 });
        }
        if offset {
            add("offset", "N", 0.0, 1.0);
        }
        Ok(out)
    }

    /// Evaluates the law along `times` repetitions of a path; returns the last repetition.
    pub fn run(&self, path: &SegmentPath, dt: f64, times: usize) -> ForceSensitivity {
        let count = path.len();
        let mut mean = Vec::with_capacity(times * count);
        let mut v = Vec::with_capacity(times * count);
        for _ in 0..times {
            let mut last = 0.0;
            for x in &path.x {
                mean.push((x - last) / dt);
                last = *x;
            }
            v.extend(&path.v);
        }
        let all = mean.len();
        let dt = vec![dt; all];
        let track = MeasuredMotion { dt: &dt, mean: &mean, v: &v, ..MeasuredMotion::default() };
        let [own, reverse, load] = &self.values;
        let wrappers = Wrappers {
            reverse: self.reverse.then_some(reverse.as_slice()),
            load: self.load.then_some(load.as_slice()),
            noise: None,
        };
        let (mut force, mut wide) = (vec![0.0; all], vec![0.0; self.columns * all]);
        if self.law.force_along(own, &wrappers, &track, &self.slots, &mut force, &mut wide).is_err() {
            // cannot happen for checked parameters; NaN rather than a wrong value
            force.fill(f64::NAN);
        }
        let from = all - count;
        let mut slopes = Vec::with_capacity(self.unknowns.len() * count);
        for (j, unknown) in self.unknowns.iter().enumerate().take(self.columns) {
            slopes.extend(wide[j * all + from..(j + 1) * all].iter().map(|g| g * unknown.size));
        }
        if self.mass {
            let size = self.unknowns[self.columns].size;
            slopes.extend(path.a.iter().map(|a| a * size));
        }
        if self.offset {
            slopes.extend(std::iter::repeat_n(1.0, count));
        }
        ForceSensitivity { force: force.split_off(from), slopes }
    }
}

impl ForceSensitivity {
    /// Information matrix for unit noise: `Σ g·gᵀ`.
    pub fn information(&self) -> InformationMatrix {
        let count = self.force.len().max(1);
        let columns: Vec<&[f64]> = self.slopes.chunks_exact(count).collect();
        let n = columns.len();
        let mut out = InformationMatrix::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let sum = crate::linalg::dot(columns[i], columns[j]);
                (out.a[i * n + j], out.a[j * n + i]) = (sum, sum);
            }
        }
        out
    }
}
