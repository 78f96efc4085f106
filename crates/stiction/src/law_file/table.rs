//! A law that is a measured table: force against speed, forwards and backwards, and against load.
use super::curve::Curve;
use crate::error::LawFileError;
use stiction_core::program::{Builder, OperationId};
use stiction_io::number::short;

/// One measured point: load factor, velocity and friction force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredPoint {
    pub load: f64,
    pub v: f64,
    pub force: f64,
}

/// Most loads of a table; a program of the law evaluates the curves of all of them.
const MAX_LOADS: usize = 256;

/// The levels of friction over the speed: one curve for each load and direction.
#[derive(Clone, Debug)]
pub struct MeasuredTable {
    /// Load factors in rising order; a single one means that the force is proportional to the load.
    loads: Vec<f64>,
    forward: Vec<Curve>,
    /// Empty if the table has no negative velocity: the force is then odd.
    reverse: Vec<Curve>,
}

impl MeasuredTable {
    /// Sorts points into curves.
    ///
    /// # Errors
    /// Points that are not finite, a force against the motion's direction, two forces at one velocity, too few or too many points or loads; with the
    /// index of the point, if it is about one.
    pub fn new(points: &[MeasuredPoint]) -> Result<Self, (Option<usize>, LawFileError)> {
        let fail = |row: Option<usize>, why: String| Err((row, LawFileError::Table { why }));
        let finite = |p: &MeasuredPoint| p.load.is_finite() && p.v.is_finite() && p.force.is_finite();
        if let Some(k) = points.iter().position(|point| !finite(point)) {
            return fail(Some(k), format!("has a number that is not finite in row {}", k + 1));
        }
        if let Some(k) = points.iter().position(|point| point.force * point.v < 0.0) {
            return fail(
                Some(k),
                format!("has a force that drives the motion in row {}; friction has the sign of v", k + 1),
            );
        }
        if let Some(k) = points.iter().position(|point| point.load <= 0.0) {
            return fail(Some(k), format!("has a load that is not above zero in row {}", k + 1));
        }
        if points.len() < 2 {
            return fail(
                None,
                format!("has {}, fewer than two", if points.is_empty() { "no rows" } else { "one row" }),
            );
        }
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&points[*a], &points[*b]);
            a.load.total_cmp(&b.load).then(a.v.total_cmp(&b.v))
        });
        // by rising load
        let groups: Vec<&[usize]> = order.chunk_by(|a, b| points[*a].load == points[*b].load).collect();
        if groups.len() > MAX_LOADS {
            return Err((None, LawFileError::TooManyLoads { count: groups.len(), most: MAX_LOADS }));
        }
        let is_repeated = |pair: &&[usize]| {
            let [a, b] = [pair[0], pair[1]].map(|k| &points[k]);
            // at rest there are two forces, one for each direction
            a.load == b.load && a.v == b.v && a.force * b.force >= 0.0
        };
        if let Some(pair) = order.windows(2).find(is_repeated) {
            return fail(
                Some(pair[1]),
                format!("has the velocity of row {} again in row {}", pair[0] + 1, pair[1] + 1),
            );
        }
        let loads: Vec<f64> = groups.iter().map(|group| points[group[0]].load).collect();
        let side = |group: &[usize], sign: f64| -> Result<Curve, LawFileError> {
            let load = points[group[0]].load;
            // a row at rest belongs to the direction of its force, and to both where there is none for backward motion
            let rest = |point: &MeasuredPoint| point.v == 0.0 && point.force * sign >= 0.0;
            let own = group.iter().map(|k| &points[*k]).filter(|point| point.v * sign > 0.0 || rest(point));
            let mut own: Vec<[f64; 2]> = own.map(|point| [point.v.abs(), point.force.abs()]).collect();
            own.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
            let curve = Curve::new(own.iter().map(|p| p[0]).collect(), own.iter().map(|p| p[1]).collect());
            curve.map_err(|error| match error {
                LawFileError::TooManyPoints { count, most, deviation, allowed, .. } => {
                    let what = if sign > 0.0 { "forward motion of the table" } else { "backward motion of the table" };
                    LawFileError::TooManyPoints { what, count, most, deviation, allowed }
                }
                LawFileError::Curve { why } => {
                    let motion = if sign > 0.0 { "forward" } else { "backward" };
                    LawFileError::Table { why: format!("{why} in {motion} motion at load {}", short(load)) }
                }
                error => error,
            })
        };
        let sides = |sign: f64| {
            let curves = groups.iter().map(|group| side(group, sign));
            curves.collect::<Result<Vec<_>, _>>().map_err(|error| (None, error))
        };
        let forward = sides(1.0)?;
        let reverse = if points.iter().any(|point| point.v < 0.0) { sides(-1.0)? } else { Vec::new() };
        Ok(Self { loads, forward, reverse })
    }
    /// Its curves, of both directions and all loads.
    pub fn curves(&self) -> impl Iterator<Item = &Curve> {
        self.forward.iter().chain(&self.reverse)
    }
    /// The load factors in rising order.
    pub fn loads(&self) -> &[f64] {
        &self.loads
    }
    /// The curves of forward motion, one for each load.
    pub fn forward(&self) -> &[Curve] {
        &self.forward
    }
    /// The curves of backward motion; none if they are those of forward motion.
    pub fn reverse(&self) -> &[Curve] {
        &self.reverse
    }
    /// Whether it has curves of its own for backward motion.
    pub fn has_reverse(&self) -> bool {
        !self.reverse.is_empty()
    }
    /// The level of friction at a speed, for one direction.
    pub fn level(&self, builder: &mut Builder, speed: OperationId, load: OperationId, reverse: bool) -> OperationId {
        let curves = if reverse && self.has_reverse() { &self.reverse } else { &self.forward };
        let levels: Vec<OperationId> = curves.iter().map(|curve| curve.compile(builder, speed)).collect();
        let &[single] = &levels[..] else { return self.between(builder, &levels, load) };
        // at nominal load 1, and proportional to it
        let nominal = builder.number(self.loads[0]);
        let factor = builder.divide(load, nominal);
        builder.multiply(factor, single)
    }
    /// Linear between the loads, and towards zero below the first.
    fn between(&self, builder: &mut Builder, levels: &[OperationId], load: OperationId) -> OperationId {
        let last = levels.len() - 1;
        let line = |builder: &mut Builder, k: usize| {
            let (from, width) = (builder.number(self.loads[k]), builder.number(self.loads[k + 1] - self.loads[k]));
            let (over, rise) = (builder.subtract(load, from), builder.subtract(levels[k + 1], levels[k]));
            let share = builder.divide(over, width);
            let more = builder.multiply(share, rise);
            builder.add(levels[k], more)
        };
        let mut out = line(builder, last - 1);
        for k in (0..last - 1).rev() {
            let (end, inside) = (builder.number(self.loads[k + 1]), line(builder, k));
            let before = builder.less(load, end);
            out = builder.select(before, inside, out);
        }
        let first = builder.number(self.loads[0]);
        let share = builder.divide(load, first);
        let below = builder.multiply(share, levels[0]);
        let before = builder.less(load, first);
        out = builder.select(before, below, out);
        // friction does not drive, also where the curve at a higher load is extended
        let zero = builder.number(0.0);
        builder.max(out, zero)
    }
}
