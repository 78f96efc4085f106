//! A device for tests: the kernel's own text, compiled as C, stands in for a GPU.
#![allow(dead_code, reason = "each test program uses a part")]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use stiction::accelerator::{Accelerator, FitBuffers, KernelBuffers, PreparedFits, PreparedKernel};
use stiction::digest;
use stiction::error::AcceleratorError;
use stiction::export::ensemble::{EnsembleKernel, ProductsKernel};

/// Reads the numbers of points, runs the kernel, writes results and status.
const MAIN: &str = r#"
#include "kernel.cu"
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **names) {
    const size_t points = count > 3 ? (size_t)atoi(names[1]) : 0, results = points * RESULTS;
    double *rows = calloc(points * ROW_LENGTH + 1, sizeof(double)), *found = calloc(results + 1, sizeof(double));
    int *status = calloc(points + 1, sizeof(int)), next = 0;
    FILE *from = fopen(names[2], "rb"), *to = fopen(names[3], "wb");
    if (!rows || !found || !status || !from || !to) return 1;
    if (fread(rows, sizeof(double), points * ROW_LENGTH, from) != points * ROW_LENGTH) return 2;
    stiction_ensemble(rows, (int)points, found, NULL, status, &next);
    if (fwrite(found, sizeof(double), results, to) != results || fwrite(status, sizeof(int), points, to) != points) return 3;
    return fclose(to);
}
"#;

/// Compiles kernels with the C compiler.
#[derive(Debug)]
pub struct CompiledC(pub PathBuf);

impl Accelerator for CompiledC {
    fn identity(&self) -> String {
        "C".to_owned()
    }
    fn description(&self) -> String {
        "a C compiler".to_owned()
    }
    fn prepare(&self, kernel: &EnsembleKernel) -> Result<Arc<dyn PreparedKernel>, AcceleratorError> {
        let folder = self.compile(&[("kernel.cu", kernel.source()), ("main.c", MAIN)]);
        Ok(Arc::new(Program { folder, calls: AtomicUsize::new(0) }))
    }
    fn prepare_fits(
        &self,
        trajectories: &EnsembleKernel,
        products: &ProductsKernel,
    ) -> Result<Arc<dyn PreparedFits>, AcceleratorError> {
        let texts = [("kernel.cu", trajectories.source()), ("products.cu", products.source()), ("main.c", FITS)];
        let folder = self.compile(&texts);
        Ok(Arc::new(FitProgram { folder, of_group: products.products(), calls: AtomicUsize::new(0) }))
    }
}

impl CompiledC {
    /// A folder with the program of these texts.
    fn compile(&self, texts: &[(&str, &str)]) -> PathBuf {
        let all: String = texts.iter().map(|(_, text)| *text).collect();
        let folder = self.0.join(digest::sha256(all.as_bytes()).unwrap());
        fs::create_dir_all(&folder).unwrap();
        texts.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
        let flags = ["-std=c99", "-O1", "main.c", "-o", "main", "-lm"];
        let compiler = Command::new("cc").args(flags).current_dir(&folder).output().unwrap();
        assert!(compiler.status.success(), "{}", String::from_utf8_lossy(&compiler.stderr));
        folder
    }
}

/// Reads groups of trajectories, runs both kernels, writes the products.
const FITS: &str = r#"
#include "kernel.cu"
#undef SAMPLES
#include "products.cu"
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **names) {
    const size_t points = count > 4 ? (size_t)atoi(names[1]) : 0, groups = count > 4 ? (size_t)atoi(names[2]) : 0;
    double *rows = calloc(points * ROW_LENGTH + 1, sizeof(double)), *by_step = calloc(points + 1, sizeof(double));
    double *found = calloc(points * RESULTS + 1, sizeof(double)), *samples = calloc(points * SERIES * SAMPLES + 1, sizeof(double));
    double *products = calloc(groups * PRODUCTS + 1, sizeof(double));
    int *first = calloc(groups + 1, sizeof(int)), *refit = calloc(groups + 1, sizeof(int)), *status = calloc(points + 1, sizeof(int)), next = 0;
    FILE *from = fopen(names[3], "rb"), *to = fopen(names[4], "wb");
    if (!rows || !by_step || !found || !samples || !products || !first || !refit || !status || !from || !to) return 1;
    if (fread(rows, sizeof(double), points * ROW_LENGTH, from) != points * ROW_LENGTH) return 2;
    if (fread(by_step, sizeof(double), points, from) != points) return 2;
    if (fread(first, sizeof(int), groups + 1, from) != groups + 1 || fread(refit, sizeof(int), groups, from) != groups) return 2;
    stiction_ensemble(rows, (int)points, found, samples, status, &next);
    stiction_products(samples, status, first, by_step, refit, (int)groups, products);
    if (fwrite(products, sizeof(double), groups * PRODUCTS, to) != groups * PRODUCTS) return 3;
    return fclose(to);
}
"#;

struct FitProgram {
    folder: PathBuf,
    of_group: usize,
    calls: AtomicUsize,
}

/// Runs a program that reads one file and writes another, and returns what it wrote.
fn ran(folder: &Path, call: usize, numbers: &[usize], bytes: &[u8]) -> Vec<u8> {
    let [from, to] = ["rows", "results"].map(|name| folder.join(format!("{name}{call}")));
    fs::write(&from, bytes).unwrap();
    let numbers = numbers.iter().map(ToString::to_string);
    let ended = Command::new(folder.join("main")).args(numbers).args([&from, &to]).status().unwrap();
    assert!(ended.success(), "{ended}");
    let bytes = fs::read(&to).unwrap();
    fs::remove_file(&from).unwrap();
    fs::remove_file(&to).unwrap();
    bytes
}

fn bytes_of(numbers: &[f64]) -> impl Iterator<Item = u8> + '_ {
    numbers.iter().flat_map(|x| x.to_ne_bytes())
}

impl PreparedFits for FitProgram {
    /// Few, so that tests of some fits make several calls.
    fn most_trajectories(&self) -> usize {
        16
    }
    fn run(&self, buffers: FitBuffers<'_>) -> Result<f64, AcceleratorError> {
        let FitBuffers { rows, first, by_step, refit, products } = buffers;
        assert!(by_step.len() <= self.most_trajectories() && products.len() == self.of_group * refit.len());
        let whole = first.iter().chain(refit).flat_map(|x| x.to_ne_bytes());
        let bytes: Vec<u8> = bytes_of(rows).chain(bytes_of(by_step)).chain(whole).collect();
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let read = ran(&self.folder, call, &[by_step.len(), refit.len()], &bytes);
        let read = read.chunks_exact(8).map(|bytes| f64::from_ne_bytes(bytes.try_into().unwrap()));
        products.iter_mut().zip(read).for_each(|(product, x)| *product = x);
        Ok(0.0)
    }
}

struct Program {
    folder: PathBuf,
    calls: AtomicUsize,
}

impl PreparedKernel for Program {
    fn run(&self, buffers: KernelBuffers<'_>) -> Result<f64, AcceleratorError> {
        let KernelBuffers { rows, results, status, .. } = buffers;
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let bytes = ran(&self.folder, call, &[status.len()], &bytes_of(rows).collect::<Vec<u8>>());
        let (numbers, codes) = bytes.split_at(8 * results.len());
        let read = numbers.chunks_exact(8).map(|bytes| f64::from_ne_bytes(bytes.try_into().unwrap()));
        results.iter_mut().zip(read).for_each(|(result, x)| *result = x);
        let read = codes.chunks_exact(4).map(|bytes| i32::from_ne_bytes(bytes.try_into().unwrap()));
        status.iter_mut().zip(read).for_each(|(status, x)| *status = x);
        Ok(0.0)
    }
}
