//! From a model to its equations of motion, in coordinates that rigid gears leave independent.
use super::constraint_row::ConstraintRow;
use super::elements::{
    ContactElement, ContactMode, ControlElement, KinematicError, SpringElement, StopElement, StopMode,
};
use super::mechanics::Mechanics;
use crate::model::{LawChoice, Load, Model, Node};
use stiction::core::{models, registry::DynLaw, registry::Wrappers};

/// The law with its wrappers.
fn build(law: &LawChoice, map: Option<[f64; 2]>) -> Result<Box<dyn DynLaw>, String> {
    let entry = models::ALL.iter().find(|entry| entry.name == law.name).ok_or("no such law")?;
    let fill = |values: &[(&'static str, f64)], defaults: Vec<f64>| {
        let mut out = defaults;
        for (key, x) in values {
            if let Some(i) = entry.params.iter().position(|p| p.name == *key) {
                out[i] = *x;
            }
        }
        out
    };
    let values = fill(&law.values, entry.params.iter().map(|p| p.default).collect());
    let reverse = fill(&law.reverse, values.clone());
    let noise: Vec<f64> = ["amplitude", "frequency", "wave", "seed"]
        .map(|key| law.noise.iter().find(|(name, _)| *name == key).map_or(f64::from(u8::from(key == "seed")), |p| p.1))
        .to_vec();
    let wrappers = Wrappers {
        reverse: (!law.reverse.is_empty()).then_some(&reverse[..]),
        load: map.as_ref().map(|map| &map[..]),
        noise: (!law.noise.is_empty()).then_some(&noise[..]),
    };
    entry.build_wrapped(&values, &wrappers).map_err(|error| format!("{error:?}"))
}

impl Mechanics {
    /// Compiles a model; the error says why it is invalid.
    pub fn new(model: &Model) -> Result<(Self, Vec<f64>), String> {
        // every body on its own coordinate, then geared bodies on that of the second
        let count = model.bodies.len();
        let mut of: Vec<(usize, f64)> = (0..count).map(|i| (i, 1.0)).collect();
        for gear in model.gears.iter().filter(|gear| gear.stiffness.is_none()) {
            let [(from, a), (to, b)] = gear.ends.map(|i| of[i]);
            if from == to {
                return Err("a loop of gears".into());
            }
            let scale = gear.ratio * b / a;
            of.iter_mut().filter(|(c, _)| *c == from).for_each(|body| *body = (to, body.1 * scale));
        }
        let mut used: Vec<usize> = of.iter().map(|(c, _)| *c).collect();
        used.sort_unstable();
        used.dedup();
        let n = used.len();
        let index = |c: usize| used.binary_search(&c).unwrap_or(0);
        let bodies: Vec<(usize, f64, f64)> =
            of.iter().zip(&model.bodies).map(|((c, scale), body)| (index(*c), *scale, body.x)).collect();
        let row = |ends: [Node; 2], ratio: f64| {
            let mut row = ConstraintRow::default();
            for (end, sign) in ends.iter().zip([1.0, -ratio]) {
                match end {
                    Node::Ground => {}
                    Node::Body(i) => {
                        let (c, scale, start) = bodies[*i];
                        row.constant += sign * start;
                        match row.coordinates.iter_mut().find(|(k, _)| *k == c) {
                            Some((_, x)) => *x += sign * scale,
                            None => row.coordinates.push((c, sign * scale)),
                        }
                    }
                    Node::Motion(i) => row.motions.push((*i, sign)),
                }
            }
            row
        };
        let mut inertia = vec![0.0; n];
        let mut weights = vec![(0, 0.0); count];
        let mut start = vec![0.0; 2 * n];
        for ((body, (c, scale, _)), weight) in model.bodies.iter().zip(&bodies).zip(&mut weights) {
            let own = body.pendulum.map_or(body.mass, |[length, _]| body.mass * length * length);
            inertia[*c] += own * scale * scale;
            *weight = (*c, body.pendulum.map_or(0.0, |[length, gravity]| body.mass * length * gravity));
            start[n + c] = body.v / scale;
        }
        let mut springs: Vec<SpringElement> = model
            .springs
            .iter()
            .map(|s| SpringElement {
                row: row(s.ends, 1.0),
                stiffness: s.stiffness,
                table: s.table.clone(),
                rest: s.rest,
                damping: s.damping,
                gap: s.gap,
                error: None,
            })
            .collect();
        let mut at = 2 * n;
        let mut contacts = Vec::new();
        let mut add = |row: ConstraintRow, law: Box<dyn DynLaw>, load: Load, heating: Option<[f64; 3]>| {
            let len = law.len();
            let heating = heating.map(|heating| (at + len, heating));
            let wide = len + usize::from(heating.is_some());
            contacts.push(ContactElement { row, law, load, at, len, heating });
            at += wide;
        };
        for contact in &model.contacts {
            // the speed of a rim is the radius times the angular velocity
            let lever = |end: Node| match (contact.radius, end) {
                (Some(radius), Node::Body(i)) if model.bodies[i].rotates => radius,
                _ => 1.0,
            };
            let mut rim = row([contact.ends[0], Node::Ground], 1.0);
            let other = row([contact.ends[1], Node::Ground], 1.0);
            rim.scale(lever(contact.ends[0]));
            rim.add(&other, -lever(contact.ends[1]));
            add(rim, build(&contact.law, contact.map)?, contact.load.clone(), contact.heating);
        }
        for gear in &model.gears {
            let Some(stiffness) = gear.stiffness else { continue };
            let ends = gear.ends.map(Node::Body);
            let damping = gear.damping;
            springs.push(SpringElement {
                row: row(ends, gear.ratio),
                stiffness,
                table: Vec::new(),
                rest: 0.0,
                damping,
                gap: (gear.backlash > 0.0).then_some([-0.5 * gear.backlash, 0.5 * gear.backlash]),
                error: gear.error.map(|wave| {
                    let (coordinate, scale, start) = bodies[gear.ends[1]];
                    KinematicError { coordinate, scale, start, wave }
                }),
            });
            if let Some(law) = &gear.loss {
                add(row([ends[0], Node::Ground], 1.0), build(law, None)?, Load::Spring(springs.len() - 1, 1.0), None);
            }
        }
        let controls: Vec<ControlElement> = model
            .controls
            .iter()
            .map(|control| {
                at += 1;
                let row = row([Node::Body(control.on), Node::Ground], 1.0);
                ControlElement { control: control.clone(), row, at: at - 1, held: 0.0, integral: 0.0, count: 0 }
            })
            .collect();
        let stops: Vec<StopElement> = model
            .stops
            .iter()
            .map(|s| {
                let row = row(s.ends, 1.0);
                StopElement { row, one_way: false, lo: s.lo, hi: s.hi, restitution: s.restitution }
            })
            .chain(model.freewheels.iter().map(|wheel| StopElement {
                row: row(wheel.ends, 1.0),
                one_way: true,
                lo: f64::NEG_INFINITY,
                hi: f64::INFINITY,
                restitution: 0.0,
            }))
            .collect();
        start.resize(at, 0.0);
        let states = contacts.iter().map(|contact| contact.len).max().unwrap_or(0);
        let mechanics = Self {
            n,
            inertia,
            weights,
            contact_modes: vec![ContactMode::Slides(1.0); contacts.len()],
            stop_modes: vec![StopMode::Open; stops.len()],
            motions: vec![[0.0; 3]; model.motions.len()],
            acceleration: vec![0.0; n],
            top_acceleration: vec![0.0; n],
            spring_forces: vec![0.0; springs.len()],
            loads: vec![1.0; contacts.len()],
            reactions: vec![0.0; contacts.len() + stops.len()],
            outputs: vec![0.0; controls.len()],
            references: vec![0.0; controls.len()],
            dy: vec![0.0; at],
            rates: vec![0.0; states],
            forces: model.forces.iter().map(|force| (force.on, force.force.clone())).collect(),
            signals: model.motions.iter().map(|motion| motion.position.clone()).collect(),
            bodies,
            springs,
            contacts,
            stops,
            controls,
            len: at,
            span: model.end - model.start,
            piece: model.start,
            memory_drift: 0.0,
        };
        Ok((mechanics, start))
    }
}
