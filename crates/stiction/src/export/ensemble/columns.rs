//! Columns in the text of a kernel: in a state, along a step, and their largest value in it.
use super::body;
use super::equations::{CoefficientSource, Equations};
use super::operand::{line, operand, plus};
use super::piecewise::pieces;
use crate::sim::batch::{ColumnCoefficients, ColumnForm, Ensemble};
use stiction_core::program::Program;

/// The place in `side` of a column that only jumps: the modes of all contacts follow their sides.
fn mode_place(ensemble: &Ensemble, column: &str) -> Option<usize> {
    let (contacts, states) = (ensemble.contacts(), ensemble.law().states);
    let jumping = (0..states.len()).filter(|z| !ensemble.flowing().contains(z));
    let mut all = contacts.iter().flat_map(|contact| jumping.clone().map(move |z| (contact, states[z].name)));
    all.position(|(contact, state)| {
        column.strip_prefix(contact.as_str()).and_then(|rest| rest.strip_prefix('.')) == Some(state)
    })
    .map(|k| contacts.len() + k)
}

/// Columns within a step, and in a state.
pub(super) fn column_functions(ensemble: &Ensemble, equations: &Equations<'_>, forces: &Program) -> String {
    let forms = &ensemble.column_forms();
    let mut out = String::new();
    if forms.iter().any(|(_, form)| matches!(form, ColumnForm::Force(_))) {
        let (body, outputs) = body(equations, forces);
        out += "\n/* The force of each contact. */\nSTICTION_FUNCTION void forces(const double *p, double t, const double *y, const double *side, double *out) {\n    const double h = 0.0;\n";
        out += &body;
        outputs.iter().enumerate().for_each(|(c, value)| out += &format!("    out[{c}] = {value};\n"));
        out += "    (void)t;\n    (void)h;\n    (void)p;\n}\n";
    }
    for (k, (name, form)) in forms.iter().enumerate() {
        let coefficients = &equations.coefficients.columns[k];
        let sum = |from: String, places: &[usize], of: &dyn Fn(usize) -> String| {
            places.iter().zip(&coefficients.weights).fold(from, |text, (x, w)| text + &plus(w, &of(*x)))
        };
        let now = match form {
            ColumnForm::Time => "    return t;\n".to_owned(),
            ColumnForm::Discrete => {
                let value = mode_place(ensemble, name).map_or("NAN".to_owned(), |k| format!("side[{k}]"));
                format!("    return {value};\n")
            }
            ColumnForm::Force(c) => {
                format!("    double out[CONTACTS];\n    forces(p, t, y, side, out);\n    return out[{c}];\n")
            }
            ColumnForm::Linear(places) => {
                let even = sum(line(&coefficients.line, "t"), places, &|x| format!("y[{x}]"));
                let lines = pieces(equations, &coefficients.pieces, "t");
                format!("    return {even}{}{lines};\n", waves(equations, coefficients))
            }
        };
        let unused = "    (void)p;\n    (void)t;\n    (void)y;\n    (void)side;\n";
        out += &format!(
            "\n/* {name} in a state. */\nSTICTION_FUNCTION double column_now_{k}(const double *p, double t, const double *y, const double *side) {{\n{unused}{now}}}\n"
        );
        out += &column_within_step(k, name, form, equations);
    }
    out
}

/// What waves add to a column.
fn waves(equations: &Equations<'_>, column: &ColumnCoefficients<CoefficientSource>) -> String {
    let waves = equations.coefficients.waves.iter().zip(&column.waves);
    waves.fold(String::new(), |text, ([omega, phase], weights)| {
        let angle = format!("({} * t + {})", operand(omega), operand(phase));
        text + &plus(&weights[0], &format!("sin{angle}")) + &plus(&weights[1], &format!("cos{angle}"))
    })
}

/// Whether a column is linear in the state and a line in time, so that it is a quartic along a step.
fn is_quartic(form: &ColumnForm, column: &ColumnCoefficients<CoefficientSource>) -> bool {
    matches!(form, ColumnForm::Linear(_))
        && column.waves.iter().flatten().all(|weight| *weight == CoefficientSource::Literal(0.0))
}

/// A column at a fraction of a step, at five places of it, and its largest value in it.
fn column_within_step(k: usize, name: &str, form: &ColumnForm, equations: &Equations<'_>) -> String {
    let coefficients = &equations.coefficients.columns[k];
    let head = "const double *p, const Step *s, const double *side";
    let mut out = String::new();
    let quartic = is_quartic(form, coefficients);
    if let (true, ColumnForm::Linear(places)) = (quartic, form) {
        let sum = |from: String, of: &dyn Fn(usize) -> String| {
            places.iter().zip(&coefficients.weights).fold(from, |text, (x, w)| text + &plus(w, &of(*x)))
        };
        let even = |t: &str| line(&coefficients.line, t) + &pieces(equations, &coefficients.pieces, t);
        let start = sum(even("s->t"), &|x| format!("s->start[{x}]"));
        let end = sum(even("(s->t + s->h)"), &|x| format!("s->end[{x}]"));
        out += &format!(
            "\n/* {name} along the step: the coefficients of a quartic. */\nSTICTION_FUNCTION void column_quartic_{k}(const double *p, const Step *s, double *c) {{\n    const double start = {start}, end = {end};\n"
        );
        for d in 0..3 {
            out += &format!(
                "    const double d{d} = {};\n",
                sum("0.0".to_owned(), &|x| format!("s->dense[{d} * STATES + {x}]"))
            );
        }
        // a column may be constant, or need no parameter
        out += "    (void)p;\n    (void)s;\n    c[0] = start;\n    c[1] = end - start + d0;\n    c[2] = d1 - d0;\n    c[3] = d2 - d1;\n    c[4] = -d2;\n}\n";
        out += &format!(
            "\n/* {name} at a fraction of the step. */\nSTICTION_FUNCTION double column_at_{k}({head}, double x) {{\n    double c[5];\n    (void)side;\n    column_quartic_{k}(p, s, c);\n    return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));\n}}\n"
        );
        out += &format!(
            "\n/* Its largest value in the step, or that of its negative. */\nSTICTION_FUNCTION double column_peak_{k}({head}, double sign, double best) {{\n    double c[5];\n    (void)side;\n    column_quartic_{k}(p, s, c);\n    return peak(sign * c[0], sign * c[1], sign * c[2], sign * c[3], sign * c[4], s->theta, best);\n}}\n"
        );
    } else {
        out += &format!(
            "\n/* {name} at a fraction of the step. */\nSTICTION_FUNCTION double column_at_{k}({head}, double theta) {{\n    double y[STATES];\n    int x;\n    for (x = 0; x < STATES; x++) y[x] = within(theta, s->start[x], s->end[x], s->dense[x], s->dense[STATES + x], s->dense[2 * STATES + x]);\n    return column_now_{k}(p, s->t + theta * s->h, y, side);\n}}\n"
        );
    }
    out += &format!(
        "\n/* {name} at five places of the step. */\nSTICTION_FUNCTION void column_{k}({head}, double *v) {{\n    int i;\n    for (i = 0; i < 5; i++) v[i] = column_at_{k}(p, s, side, 0.25 * i * s->theta);\n}}\n"
    );
    if !quartic {
        out += &format!(
            "\n/* Its largest value in the step, or that of its negative. */\nSTICTION_FUNCTION double column_peak_{k}({head}, double sign, double best) {{\n    double v[5];\n    column_{k}(p, s, side, v);\n    return peak_of_values(v, sign, best);\n}}\n"
        );
    }
    out
}
