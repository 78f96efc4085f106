//! `rodas5p.c` and `elementary.c`: sources that are the same for every unit, made from the simulator's coefficients and from the elementary
//! functions of the laws. They stand in `sources`, because the library that runs any unit is compiled before this crate.
use crate::export::language_c::{C, elementary, helpers};
use crate::export::recorder::function_program;
use crate::export::source_text::Syntax;
use stiction_core::program::{Function, Precision, Program};
use stiction_sim::sim::rodas5p;

fn number(x: f64) -> String {
    C("").number(Precision::Double, x)
}

fn table<const M: usize, const N: usize>(name: &str, rows: &[[f64; N]; M]) -> String {
    let row = |row: &[f64; N]| format!("    {{{}}},\n", row.map(number).join(", "));
    format!("static const double {name}[{M}][{N}] = {{\n{}}};\n", rows.iter().map(row).collect::<String>())
}

/// The coefficients of the method with which units integrate, in C.
pub fn rodas5p_source() -> String {
    let mut out = "/* The coefficients of Rodas5P, as the simulator has them. */\n".to_owned();
    out += &format!("#define RODAS_GAMMA {}\n", number(rodas5p::GAMMA));
    out += &table("RODAS_A", &rodas5p::A);
    out += &table("RODAS_C", &rodas5p::C);
    out += &table("RODAS_H", &rodas5p::H);
    out += &format!("static const double RODAS_NODES[8] = {{{}}};\n", rodas5p::NODES.map(number).join(", "));
    out + &format!("static const double RODAS_D[8] = {{{}}};\n", rodas5p::D.map(number).join(", "))
}

/// The elementary functions of which laws are made, in C; but for pseudo-random numbers, which units do not draw.
pub fn elementary_source() -> String {
    let functions = Function::ALL.into_iter().filter(|function| *function != Function::Uniform);
    let programs: Vec<Program> = functions.clone().map(function_program).collect();
    let head = "/* The elementary functions, recorded from those of the simulator. */\n";
    let parts = helpers("law", &programs).into_iter().chain(functions.map(|function| elementary("law", function)));
    head.to_owned() + &parts.collect::<String>()
}
