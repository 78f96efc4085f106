//! The kernel behind that of the trajectories when many fits of a record run at once: it reduces the samples of a fit to the products that
//! a step of least squares needs, so that samples stay on the device.
use super::piecewise::table;
use crate::export::language_c::{elementary, helpers};
use crate::export::recorder::function_program;
use stiction_core::program::Function;

/// Threads of a block of the kernel, which share the samples of a fit.
const THREADS: u32 = 128;
/// Most parameters: each thread keeps the products of all pairs.
const MOST_PARAMETERS: usize = 15;
/// What the names of its functions begin with: as C it is in one text with the kernel before it.
const PREFIX: &str = "products";

/// A column of a record that trajectories are compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedColumn {
    /// What was measured, at the times of the samples.
    pub measured: Vec<f64>,
    /// Residuals are relative to it.
    pub scale: f64,
    /// How a bootstrap draws its residuals; none if there is none.
    pub drawn: Option<DrawnResiduals>,
}

/// Residuals that are drawn anew in blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnResiduals {
    /// The model of the fit that was found, less the mean of the residuals: what a drawn residual is added to.
    pub centre: Vec<f64>,
    /// The residuals of that fit, measured less model.
    pub residual: Vec<f64>,
    /// Residuals of a block.
    pub block: usize,
    /// How many blocks the columns before this one take from the stream of a refit.
    pub draws_before: usize,
}

/// The source of the kernel, and what it takes.
#[derive(Clone, Debug)]
pub struct ProductsKernel {
    source: String,
    parameters: usize,
    columns: usize,
    samples: usize,
}

impl ProductsKernel {
    /// The name of the kernel in its text.
    pub const ENTRY: &str = "stiction_products";
    /// A kernel for fits of so many parameters to these columns; `seed` is that of the bootstrap. None for more parameters than a thread keeps.
    pub fn new(parameters: usize, seed: u32, columns: &[FittedColumn]) -> Option<Self> {
        let samples = columns.first()?.measured.len();
        if parameters > MOST_PARAMETERS || samples == 0 || columns.iter().any(|c| c.measured.len() != samples) {
            return None;
        }
        let count = parameters + 1;
        let mut out =
            "/* Products of least squares. With CUDA: nvcc -arch=native. Without: cc -std=c99 -O2. */\n".to_owned();
        for (name, value) in [
            ("PRODUCTS_BLOCK", THREADS as usize),
            ("COLUMNS", count),
            ("PRODUCTS", count * (count + 1) / 2),
            ("SERIES", columns.len()),
            ("SAMPLES", samples),
            ("SEED", seed as usize),
        ] {
            out += &format!("#define {name} {value}\n");
        }
        let all = |of: &dyn Fn(&FittedColumn) -> Vec<f64>| columns.iter().flat_map(of).collect::<Vec<f64>>();
        let none = vec![0.0; samples];
        let drawn = |of: fn(&DrawnResiduals) -> &Vec<f64>| all(&|c| c.drawn.as_ref().map_or(&none, of).clone());
        let mut tables = table("measured", &all(&|c| c.measured.clone()));
        tables += &table("centre", &drawn(|d| &d.centre));
        tables += &table("residual", &drawn(|d| &d.residual));
        tables += &table("by_scale", &all(&|c| vec![1.0 / c.scale]));
        // each thread reads its own place: not of a memory that serves one place at a time
        tables = tables.replace("STICTION_CONSTANT", "PRODUCTS_TABLE").replace("STICTION_TABLE", "PRODUCTS_TABLE");
        let mut whole = |name: &str, of: fn(&DrawnResiduals) -> usize, otherwise: usize| {
            let values: Vec<String> =
                columns.iter().map(|c| c.drawn.as_ref().map_or(otherwise, of).to_string()).collect();
            tables += &format!("static PRODUCTS_TABLE const int {name}[SERIES] = {{{}}};\n", values.join(", "));
        };
        whole("block_length", |d| d.block, 1);
        whole("draws_before", |d| d.draws_before, 0);
        let kernel = include_str!("products.cu").replace("@TABLES@\n", &tables).replace("@RANDOM@\n", &random());
        out = out + include_str!("types.cu") + &kernel;
        Some(Self { source: out, parameters, columns: columns.len(), samples })
    }
    /// The source: CUDA C++, and C99 without CUDA. Its kernel is `stiction_products`; the comment there says what it takes.
    pub fn source(&self) -> &str {
        &self.source
    }
    /// Threads of a block of the kernel.
    pub fn threads_per_block(&self) -> u32 {
        THREADS
    }
    /// Numbers that it writes of each group: the upper triangle of the products of the residuals and the derivatives by each parameter.
    pub fn products(&self) -> usize {
        (self.parameters + 1) * (self.parameters + 2) / 2
    }
    /// Numbers that the trajectory of each point leaves for it.
    pub fn samples(&self) -> usize {
        self.columns * self.samples
    }
}

/// The random numbers of the core, which a bootstrap on the processor draws with.
fn random() -> String {
    let programs = [function_program(Function::Uniform)];
    let text = helpers(PREFIX, &programs).concat() + &elementary(PREFIX, Function::Uniform);
    text.replace("\nstatic ", "\nPRODUCTS_FUNCTION ")
}
