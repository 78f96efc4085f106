//! Events within a step.
use super::flow::Flow;
use super::parts::{Mode, Rests, Weight};
use super::polynomial::{NODES, first_crossing, lowest, near_miss, settle};
use super::rosenbrock::Step;
use stiction_core::Input;

/// What may cross zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Guard {
    /// Sliding velocity of a contact.
    Velocity(usize),
    /// Guard of a contact's law, from 1.
    Law(usize, usize),
    /// Room of a held contact below its upper and above its lower limit.
    Upper(usize),
    Lower(usize),
    /// Normal load of a contact that nothing presses.
    Load(usize),
    /// Room of a stop at its lower and upper end.
    Floor(usize),
    Ceiling(usize),
    /// Force of a stop that holds.
    Push(usize),
}

/// The first event in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub theta: f64,
    pub guard: Guard,
}

/// Looks for events, with room for what it needs.
pub(super) struct Scanner {
    /// The state at the five nodes; the first is that at the beginning.
    nodes: Vec<Vec<f64>>,
    filled: bool,
    /// Whether the accelerations and forces belong to a node, for held contacts.
    scratch: Vec<f64>,
    state: Vec<f64>,
    guards: Vec<f64>,
    /// Values of each guard of a law at the nodes.
    values: Vec<[f64; 5]>,
    /// Room to the upper and lower limit of each held contact, and the size of the numbers it comes from.
    room: Vec<[[f64; 5]; 3]>,
    /// Forces of stops.
    push: Vec<[f64; 5]>,
}

impl Scanner {
    pub fn new(flow: &Flow<'_>) -> Self {
        let most = flow.parts.rubs.iter().map(|rub| rub.sides.len() + 1).max().unwrap_or(0);
        let len = Step::pad(flow);
        Self {
            nodes: vec![vec![0.0; len]; 5],
            filled: false,
            scratch: vec![0.0; len],
            state: vec![0.0; len],
            guards: vec![0.0; most],
            values: vec![[0.0; 5]; most],
            room: vec![[[0.0; 5]; 3]; flow.parts.rubs.len()],
            push: vec![[0.0; 5]; flow.parts.bumps.len()],
        }
    }
    fn fill(&mut self, step: &Step) {
        if !self.filled {
            for i in 0..step.numbers() {
                self.nodes.iter_mut().zip(step.at(i, NODES)).for_each(|(node, x)| node[i] = x);
            }
            self.nodes[0].copy_from_slice(&step.y0);
            step.state(1.0, &mut self.nodes[4]);
            self.filled = true;
        }
    }
    /// The first event in the step. `quiet` is the speed below which a single-valued law may turn unseen: the effect
    /// is below the tolerance, and a mode of the law turns at the end of the step.
    pub fn first(&mut self, flow: &mut Flow<'_>, step: &Step, quiet: f64) -> Option<Hit> {
        self.filled = false;
        let mut best: Option<Hit> = None;
        let count = flow.parts.rubs.len();
        for c in 0..count {
            let rub = &flow.parts.rubs[c];
            let laws = rub.sides.len();
            // while nothing presses it, a contact turns unseen, and the first event is that something does
            let mut free = false;
            if let (Mode::Slip(_), Weight::Signal(signal)) = (rub.mode, &rub.weight) {
                let loads = NODES.map(|theta| signal.eval(step.t + theta * step.h, step.t)[0]);
                free = loads[0] <= 0.0;
                if free {
                    self.consider(flow, step, Guard::Load(c), loads, -1.0, 0.0, &mut best);
                }
            }
            match flow.parts.rubs[c].mode {
                Mode::Slip(side) if free => {
                    let v = self.velocities(flow, step, c)[4];
                    if v * side < 0.0 {
                        flow.parts.rubs[c].mode = Mode::Slip(-side);
                    }
                }
                Mode::Slip(side) => {
                    let values = self.velocities(flow, step, c);
                    let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
                    let single = || {
                        let (low, high) = flow.parts.rubs[c].limits();
                        low == high
                    };
                    if !(most < quiet && single()) {
                        // just let go, it starts without acceleration, and rounding must not call it back
                        let starts = flow.parts.rubs[c].released == step.t;
                        // and what is far below the tolerance is no motion
                        let noise = if starts { 1e-6 } else { 1e-13 } * most + 1e-12 * quiet;
                        self.consider(flow, step, Guard::Velocity(c), values, side, noise, &mut best);
                    } else if values[4] * side < 0.0 {
                        flow.parts.rubs[c].mode = Mode::Slip(-side);
                    }
                }
                Mode::Stuck | Mode::Pinned(_) => {}
            }
            if laws > 0 {
                self.fill(step);
                for node in 0..5 {
                    self.law_guards(flow, step, c, node);
                    for (k, values) in self.values[..laws].iter_mut().enumerate() {
                        values[node] = self.guards[k + 1];
                    }
                }
                for k in 0..laws {
                    let values = self.values[k];
                    let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
                    let side = flow.parts.rubs[c].sides[k];
                    self.consider(flow, step, Guard::Law(c, k + 1), values, side, 1e-13 * most, &mut best);
                }
            }
        }
        if flow.holds.any() {
            self.held(flow, step, &mut best);
        }
        self.stops(flow, step, quiet, &mut best);
        best
    }
    fn velocities(&self, flow: &mut Flow<'_>, step: &Step, c: usize) -> [f64; 5] {
        let row = flow.parts.rubs[c].row;
        let mut out = [0.0; 5];
        for (v, c) in row.speeds() {
            out.iter_mut().zip(step.at(v, NODES)).for_each(|(out, x)| *out += c * x);
        }
        if row.nm > 0 {
            for (out, theta) in out.iter_mut().zip(NODES) {
                flow.set_motions(step.t + theta * step.h);
                *out += row.driven(&flow.motions, 1);
            }
        }
        out
    }
    /// The law's guards at a node.
    fn law_guards(&mut self, flow: &mut Flow<'_>, step: &Step, c: usize, node: usize) {
        let theta = NODES[node];
        flow.set_motions(step.t + theta * step.h);
        guards_at(flow, c, &self.nodes[node], step.t + theta * step.h, &mut self.guards);
    }
    /// Limits of what is held.
    fn held(&mut self, flow: &mut Flow<'_>, step: &Step, best: &mut Option<Hit>) {
        self.fill(step);
        for node in 0..5 {
            flow.rhs(step.t + NODES[node] * step.h, &self.nodes[node], &mut self.scratch);
            flow.hold_forces();
            for (rub, room) in flow.parts.rubs.iter().zip(&mut self.room) {
                if rub.mode == Mode::Stuck {
                    let (low, high) = rub.limits();
                    room[0][node] = high - rub.held;
                    room[1][node] = rub.held - low;
                    room[2][node] = rub.held.abs() + low.abs() + high.abs();
                }
            }
            for (bump, push) in flow.parts.bumps.iter().zip(&mut self.push) {
                if let Rests::At(end) = bump.mode {
                    push[node] = bump.held * end;
                }
            }
        }
        for c in 0..self.room.len() {
            let [upper, lower, size] = self.room[c];
            if flow.parts.rubs[c].mode == Mode::Stuck {
                let noise = 1e-14 * size.iter().fold(0.0_f64, |a, &b| a.max(b));
                self.consider(flow, step, Guard::Upper(c), upper, 1.0, noise, best);
                self.consider(flow, step, Guard::Lower(c), lower, 1.0, noise, best);
            }
        }
        for b in 0..self.push.len() {
            let push = self.push[b];
            if flow.parts.bumps[b].mode != Rests::Free {
                let most = push.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
                self.consider(flow, step, Guard::Push(b), push, 1.0, 1e-12 * most, best);
            }
        }
    }
    fn stops(&mut self, flow: &mut Flow<'_>, step: &Step, quiet: f64, best: &mut Option<Hit>) {
        for b in 0..flow.parts.bumps.len() {
            let (row, what, mode) = (flow.parts.bumps[b].row, flow.parts.bumps[b].what, flow.parts.bumps[b].mode);
            if mode != Rests::Free {
                continue;
            }
            let x = NODES.map(|theta| {
                flow.set_motions(step.t + theta * step.h);
                let own: f64 = row.coordinates().map(|(i, c)| c * step.at(i, [theta])[0]).sum();
                own + row.offset + row.driven(&flow.motions, 0)
            });
            // two that touch lie on each other to rounding, and to far less than the tolerance of places
            let noise = 1e-15 * x.iter().fold(0.0_f64, |most, v| most.max(v.abs())) + 1e-2 * quiet;
            for (guard, room) in
                [(Guard::Floor(b), x.map(|x| x - what.lo)), (Guard::Ceiling(b), x.map(|x| what.hi - x))]
            {
                if room[0].is_finite() {
                    // one that begins a little beyond is on its way out, unless it goes deeper
                    let noise = noise + (-room[0] * (1.0 + 1e-9)).max(0.0);
                    self.consider(flow, step, guard, room, 1.0, noise, best);
                }
            }
        }
    }
    #[allow(clippy::too_many_arguments, reason = "one place decides for every kind of guard")]
    fn consider(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        guard: Guard,
        values: [f64; 5],
        side: f64,
        noise: f64,
        best: &mut Option<Hit>,
    ) {
        let found = first_crossing(&values, side, noise).or_else(|| {
            // between the samples a guard that is no polynomial may reach further than the quartic through them
            let smooth = matches!(guard, Guard::Upper(_) | Guard::Lower(_) | Guard::Push(_) | Guard::Law(..));
            let bottom = smooth.then(|| near_miss(&values, side)).flatten()?;
            let (at, g) = lowest(|theta| side * self.value(flow, step, guard, theta), bottom);
            (g < -noise).then_some((NODES[bottom - 1], at))
        });
        let Some((lo, hi)) = found else { return };
        if best.is_some_and(|hit| hit.theta <= lo) {
            return;
        }
        let theta = settle(|theta| self.value(flow, step, guard, theta), &values, side, lo, hi);
        if best.is_none_or(|hit| theta < hit.theta) {
            *best = Some(Hit { theta, guard });
        }
    }
    /// A guard at a fraction of the step.
    fn value(&mut self, flow: &mut Flow<'_>, step: &Step, guard: Guard, theta: f64) -> f64 {
        let t = step.t + theta * step.h;
        flow.set_motions(t);
        match guard {
            Guard::Velocity(c) => {
                let row = flow.parts.rubs[c].row;
                let own: f64 = row.speeds().map(|(v, c)| c * step.at(v, [theta])[0]).sum();
                own + row.driven(&flow.motions, 1)
            }
            Guard::Law(c, k) => {
                step.state(theta, &mut self.state);
                guards_at(flow, c, &self.state, t, &mut self.guards);
                self.guards[k]
            }
            Guard::Load(c) => match &flow.parts.rubs[c].weight {
                Weight::Signal(signal) => signal.eval(t, step.t)[0],
                _ => 0.0,
            },
            Guard::Upper(c) | Guard::Lower(c) => {
                step.state(theta, &mut self.state);
                flow.rhs(t, &self.state, &mut self.scratch);
                flow.hold_forces();
                let rub = &flow.parts.rubs[c];
                let (low, high) = rub.limits();
                if guard == Guard::Upper(c) { high - rub.held } else { rub.held - low }
            }
            Guard::Push(b) => {
                step.state(theta, &mut self.state);
                flow.rhs(t, &self.state, &mut self.scratch);
                flow.hold_forces();
                let bump = &flow.parts.bumps[b];
                if let Rests::At(end) = bump.mode { bump.held * end } else { 0.0 }
            }
            Guard::Floor(b) | Guard::Ceiling(b) => {
                let bump = &flow.parts.bumps[b];
                let own: f64 = bump.row.coordinates().map(|(i, c)| c * step.at(i, [theta])[0]).sum();
                let x = own + bump.row.offset + bump.row.driven(&flow.motions, 0);
                if guard == Guard::Floor(b) { x - bump.what.lo } else { bump.what.hi - x }
            }
        }
    }
}

/// The guards of contact `c` in state `y`; motions and loads are those of time `t`.
pub(super) fn guards_at(flow: &mut Flow<'_>, c: usize, y: &[f64], t: f64, out: &mut [f64]) {
    let from = flow.from;
    let rub = &mut flow.parts.rubs[c];
    rub.recall(y);
    if let Weight::Signal(signal) = rub.weight {
        rub.load[0] = signal.eval(t, from)[0];
    }
    let v = match rub.mode {
        Mode::Slip(side) => rub.asked(side, rub.row.v(y, &flow.motions)),
        _ => 0.0,
    };
    let count = rub.sides.len() + 1;
    rub.law.guards(&rub.memory, &Input { v, load: rub.load[0] }, &mut out[..count]);
}
