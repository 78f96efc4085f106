//! A model as the text of a scenario file, which the simulator reads as a user's.
use crate::model::{Contact, ContactKind, Drive, LawChoice, Load, Model, Node, RunSettings, Signal};
use crate::random::Random;

/// A number that reads back to the last bit.
pub fn number(x: f64) -> String {
    match x {
        x if x == f64::INFINITY => "inf".into(),
        x if x == f64::NEG_INFINITY => "-inf".into(),
        x if x == 0.0 || (1e-4..1e7).contains(&x.abs()) => format!("{x}"),
        x => format!("{x:e}"),
    }
}

/// The text; with a source of random numbers its components are in a random order.
pub fn scenario(model: &Model, settings: &RunSettings, order: Option<&mut Random>) -> String {
    let mut blocks = components(model);
    if let Some(random) = order {
        random.shuffle(&mut blocks);
    }
    let mut run = format!("[run]\nend = {}\n", number(model.end));
    if model.start != 0.0 {
        run += &format!("start = {}\n", number(model.start));
    }
    run += &format!("rtol = {}\n", number(settings.rtol));
    if settings.atol > 0.0 {
        run += &format!("atol = {}\n", number(settings.atol));
    }
    if settings.max_step < f64::INFINITY {
        run += &format!("max_step = {}\n", number(settings.max_step));
    }
    run += &format!("sample = {}\n", number((model.end - model.start) / settings.rows as f64));
    run + &blocks.concat()
}

fn components(model: &Model) -> Vec<String> {
    let place = |place: Node| match place {
        Node::Ground => "ground".to_owned(),
        Node::Body(i) if model.bodies[i].pendulum.is_some() => format!("{}.angle", model.bodies[i].name),
        Node::Body(i) => model.bodies[i].name.clone(),
        Node::Motion(i) => model.motions[i].name.clone(),
    };
    let between = |ends: [Node; 2]| format!("between = [\"{}\", \"{}\"]\n", place(ends[0]), place(ends[1]));
    let mut out = Vec::new();
    for body in &model.bodies {
        out.push(match body.pendulum {
            Some([length, gravity]) => format!(
                "[plant.{}]\nkind = \"pendulum\"\nmass = {}\nlength = {}\ngravity = {}\nx = [{}]\nv = [{}]\n",
                body.name,
                number(body.mass),
                number(length),
                number(gravity),
                number(body.x),
                number(body.v)
            ),
            None => {
                let key = if body.rotates { "inertia" } else { "mass" };
                let start = [("x", body.x), ("v", body.v)];
                let start: String = start
                    .iter()
                    .filter(|(_, x)| *x != 0.0)
                    .map(|(key, x)| format!("{key} = {}\n", number(*x)))
                    .collect();
                format!("[body.{}]\n{key} = {}\n{start}", body.name, number(body.mass))
            }
        });
    }
    for motion in &model.motions {
        let turns = if motion.rotates { "turns = true\n" } else { "" };
        out.push(format!("[motion.{}]\nposition = {}\n{turns}", motion.name, signal(&motion.position)));
    }
    for spring in &model.springs {
        let ends = between(spring.ends);
        let damping = format!("damping = {}\n", number(spring.damping));
        if spring.stiffness == 0.0 && spring.table.is_empty() {
            out.push(format!("[damper.{}]\n{ends}{damping}", spring.name));
            continue;
        }
        let force = if spring.table.is_empty() {
            format!("stiffness = {}\n", number(spring.stiffness))
        } else {
            format!("table = {{ points = {} }}\n", points(&spring.table))
        };
        let rest = if spring.rest == 0.0 { String::new() } else { format!("rest = {}\n", number(spring.rest)) };
        let damping = if spring.damping == 0.0 { String::new() } else { damping };
        let gap =
            spring.gap.map_or_else(String::new, |[low, high]| format!("gap = [{}, {}]\n", number(low), number(high)));
        out.push(format!("[spring.{}]\n{ends}{force}{rest}{damping}{gap}", spring.name));
    }
    for stop in &model.stops {
        let limits = [("lo", stop.lo), ("hi", stop.hi)];
        let limits: String =
            limits.iter().filter(|(_, x)| x.is_finite()).map(|(key, x)| format!("{key} = {}\n", number(*x))).collect();
        let restitution = format!("restitution = {}\n", number(stop.restitution));
        out.push(format!("[stop.{}]\n{}{limits}{restitution}", stop.name, between(stop.ends)));
    }
    for wheel in &model.freewheels {
        out.push(format!("[freewheel.{}]\n{}", wheel.name, between(wheel.ends)));
    }
    for gear in &model.gears {
        let mut text = format!("[gear.{}]\n{}", gear.name, between(gear.ends.map(Node::Body)));
        text += &match gear.drive {
            Drive::Ratio => format!("ratio = {}\n", number(gear.ratio)),
            Drive::Lead => format!("lead = {}\n", number(gear.ratio * std::f64::consts::TAU)),
            Drive::Radii => format!("radii = [1, {}]\n", number(gear.ratio)),
        };
        if let Some([amplitude, per_turn, phase]) = gear.error.map(|wave| wave.map(number)) {
            let of = place(Node::Body(gear.ends[1]));
            text += &format!(
                "error = {{ of = \"{of}\", amplitude = {amplitude}, per_turn = {per_turn}, phase = {phase} }}\n"
            );
        }
        if let Some(stiffness) = gear.stiffness {
            text += &format!("stiffness = {}\ndamping = {}\n", number(stiffness), number(gear.damping));
            if gear.backlash > 0.0 {
                text += &format!("backlash = {}\n", number(gear.backlash));
            }
        }
        if let Some(law) = &gear.loss {
            let values: Vec<String> = law.values.iter().map(|(key, x)| format!("{key} = {}", number(*x))).collect();
            text += &format!("loss = {{ law = \"{}\", {} }}\n", law.name, values.join(", "));
        }
        out.push(text);
    }
    for item in &model.contacts {
        let ends = match item.kind {
            ContactKind::Brake => format!("on = \"{}\"\n", place(item.ends[0])),
            _ => between(item.ends),
        };
        out.push(contact(model, item, &ends));
    }
    for force in &model.forces {
        let on = place(Node::Body(force.on));
        out.push(format!("[force.{}]\non = \"{on}\"\nforce = {}\n", force.name, signal(&force.force)));
    }
    for control in &model.controls {
        let on = place(Node::Body(control.on));
        let mut text = format!("[control.{}]\non = \"{on}\"\nmeasure = [\"{on}.x\", \"{on}.v\"]\n", control.name);
        text += &format!("gains = [{}, {}]\n", number(control.gains[0]), number(control.gains[1]));
        text += &format!("ki = {}\nreference = {}\n", number(control.ki), signal(&control.reference));
        if control.limit.is_finite() {
            text += &format!("limit = {}\n", number(control.limit));
        }
        if let Some(period) = control.period {
            text += &format!("period = {}\n", number(period));
        }
        out.push(text);
    }
    out
}

fn contact(model: &Model, contact: &Contact, ends: &str) -> String {
    let (section, key) = match contact.kind {
        ContactKind::Contact => ("contact", "load"),
        ContactKind::Clutch => ("clutch", "command"),
        ContactKind::Brake => ("brake", "command"),
    };
    let mut text = format!("[{section}.{}]\n{ends}{}", contact.name, law(&contact.law));
    if let Some([capacity, conductance, softening]) = contact.heating.map(|heating| heating.map(number)) {
        text +=
            &format!("heating = {{ capacity = {capacity}, conductance = {conductance}, softening = {softening} }}\n");
    }
    if let Some(radius) = contact.radius {
        text += &format!("radius = {}\n", number(radius));
    }
    let map = contact.map.map(|[base, slope]| format!(", base = {}, slope = {}", number(base), number(slope)));
    let map = map.unwrap_or_default();
    match &contact.load {
        Load::Nominal if contact.kind == ContactKind::Contact && map.is_empty() => {}
        Load::Nominal if map.is_empty() => text += &format!("{key} = 1\n"),
        Load::Nominal => text += &format!("{key} = {{ signal = 1{map} }}\n"),
        Load::Signal(load) if map.is_empty() => text += &format!("{key} = {}\n", signal(load)),
        Load::Signal(load) => text += &format!("{key} = {{ signal = {}{map} }}\n", signal(load)),
        Load::Spring(spring, gain) => {
            let spring = &model.springs[*spring].name;
            text += &format!("{key} = {{ spring = \"{spring}\", gain = {}{map} }}\n", number(*gain));
        }
    }
    text
}

fn law(law: &LawChoice) -> String {
    let mut text = format!("law = \"{}\"\n", law.name);
    for (key, x) in &law.values {
        text += &format!("{key} = {}\n", number(*x));
    }
    for (name, values) in [("reverse", &law.reverse), ("noise", &law.noise)] {
        if !values.is_empty() {
            let values: Vec<String> = values.iter().map(|(key, x)| format!("{key} = {}", number(*x))).collect();
            text += &format!("{name} = {{ {} }}\n", values.join(", "));
        }
    }
    text
}

fn points(points: &[[f64; 2]]) -> String {
    let points: Vec<String> = points.iter().map(|[x, y]| format!("[{}, {}]", number(*x), number(*y))).collect();
    format!("[{}]", points.join(", "))
}

/// A signal as an inline table.
fn signal(signal_: &Signal) -> String {
    let table = |kind: &str, keys: &[(&str, f64)]| {
        let keys: Vec<String> = keys.iter().map(|(key, x)| format!("{key} = {}", number(*x))).collect();
        format!("{{ {kind} = {{ {} }} }}", keys.join(", "))
    };
    match signal_ {
        Signal::Constant(x) => number(*x),
        Signal::Ramp { offset, slope, start, end } => {
            table("ramp", &[("offset", *offset), ("slope", *slope), ("start", *start), ("end", *end)])
        }
        Signal::Step { at, before, after } => table("step", &[("at", *at), ("before", *before), ("after", *after)]),
        Signal::Sine { mean, amplitude, omega, phase } => {
            table("sine", &[("mean", *mean), ("amplitude", *amplitude), ("omega", *omega), ("phase", *phase)])
        }
        Signal::Chirp { amplitude, omega, rate, phase } => {
            table("chirp", &[("amplitude", *amplitude), ("omega", *omega), ("rate", *rate), ("phase", *phase)])
        }
        Signal::Move { start, time, before, after } => {
            table("move", &[("start", *start), ("time", *time), ("before", *before), ("after", *after)])
        }
        Signal::Pulses { low, high, start, width, period, count } => {
            let shape = [("low", *low), ("high", *high), ("start", *start), ("width", *width)];
            table("pulses", &[&shape[..], &[("period", *period), ("count", *count)]].concat())
        }
        Signal::Table(list) => format!("{{ table = {{ points = {} }} }}", points(list)),
        Signal::Sum(parts) => {
            let parts: Vec<String> = parts.iter().map(signal).collect();
            format!("{{ sum = [{}] }}", parts.join(", "))
        }
        Signal::Product(parts) => {
            let parts: Vec<String> = parts.iter().map(signal).collect();
            format!("{{ product = [{}] }}", parts.join(", "))
        }
    }
}
