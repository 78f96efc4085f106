//! A step of Radau IIA with four stages, side by side in lanes.
//!
//! The stages lie on a polynomial of degree four that satisfies the equations at four nodes. They depend on each other, so the law cannot be
//! asked for all of them at their final place; but it is asked for all four at once, [`ITERATIONS`] times: first where the system linearised
//! at the beginning of the step would be, then where the last answers move it (simplified Newton iterations with the exact Jacobian of the
//! beginning). Each iteration gains two orders in the step, so that two are as accurate as the stages. Of a linear system the result is that
//! of Radau IIA itself: L-stable and stiffly accurate. Rodas5P waits for the law eight times in a row, this step three times.
//!
//! The system linearised is solved by the eigenvalues of the method, two complex pairs: for each a system of the size of one stage, in closed
//! form.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::coefficients::Coefficients;
use super::law::{Contact, LawSlopes};
use super::step::{StageMethod, TrialStep};
use super::{Numbers, STATE_MAX, add};

/// Stages.
const STAGES: usize = 4;
/// Iterations after the linear one.
const ITERATIONS: usize = 2;
/// Where the stages are, as fractions of the step.
const NODES: Numbers = [0.088_587_959_512_703_95, 0.409_466_864_440_734_7, 0.787_659_461_760_847_1, 1.0];
/// Weights of a quadrature over the step.
const WEIGHTS: Numbers = [0.220_462_211_176_768_38, 0.388_193_468_843_171_87, 0.328_844_319_980_059_73, 0.0625];
/// One of each pair of eigenvalues of the method, and their reciprocals: real and imaginary parts.
const EIGENVALUES: [[f64; 2]; 2] =
    [[0.097_050_482_335_131_76, 0.144_182_471_121_536_8], [0.188_663_803_379_153_95, 0.061_774_416_896_890_82]];
const RECIPROCALS: [[f64; 2]; 2] =
    [[3.212_806_896_871_534, -4.773_087_433_276_642], [4.787_193_103_128_466, -1.567_476_416_895_208]];
/// A function of the method's matrix is the sum over its eigenvalues of these matrices times the function's real and imaginary part there; column
/// by column.
const REAL: [[Numbers; STAGES]; 2] = [
    [
        [0.342_291_857_369_083_2, -0.495_976_818_132_255_37, -1.664_621_030_698_58, 1.780_330_888_122_077_3],
        [-0.147_900_317_495_250_96, 0.656_706_966_905_443_8, -1.913_004_011_721_056_2, -3.662_249_627_333_167],
        [-0.058_468_198_690_158_88, -0.028_304_252_282_829_6, 0.956_828_003_133_396_1, 0.434_991_295_864_900_94],
        [0.030_581_741_895_513_59, -0.026_743_575_521_025_855, -0.253_258_782_018_435_4, 0.044_173_172_592_076_92],
    ],
    [
        [0.657_708_142_630_916_8, 0.495_976_818_132_255_37, 1.664_621_030_698_58, -1.780_330_888_122_077_3],
        [0.147_900_317_495_250_96, 0.343_293_033_094_556_2, 1.913_004_011_721_056_2, 3.662_249_627_333_167],
        [0.058_468_198_690_158_88, 0.028_304_252_282_829_6, 0.043_171_996_866_603_89, -0.434_991_295_864_900_94],
        [-0.030_581_741_895_513_59, 0.026_743_575_521_025_855, 0.253_258_782_018_435_4, 0.955_826_827_407_923_1],
    ],
];
const IMAGINARY: [[Numbers; STAGES]; 2] = [
    [
        [-0.243_671_304_197_543_53, 0.929_255_168_305_342_8, -2.243_222_419_647_958, -5.035_182_140_182_215],
        [-0.290_720_925_652_917_4, 0.487_228_500_340_776_8, 1.021_260_906_409_087_9, -1.943_544_771_080_765_3],
        [0.142_794_073_800_412_1, -0.385_785_864_931_373_4, 0.369_891_017_041_138_85, 1.912_442_882_662_849_2],
        [-0.037_497_199_371_260_26, 0.118_318_156_120_878_42, -0.198_353_886_130_894_4, -0.613_448_213_184_372_1],
    ],
    [
        [-0.148_487_026_122_644_64, 0.889_747_059_862_572_8, 6.274_663_443_740_493, 17.961_306_567_496_397],
        [-0.193_316_248_460_619_36, 0.131_803_228_200_046_33, 1.353_613_619_320_065_6, 5.389_086_980_398_026],
        [-0.002_306_632_200_562_252, 0.083_746_395_184_292_49, 0.561_706_717_541_990_3, 1.504_742_273_383_398_6],
        [-0.027_463_516_268_454_86, -0.056_043_411_909_288_38, -0.304_087_525_043_705_9, -0.545_022_919_619_392],
    ],
];
/// The estimate is the difference to a quadrature of order 4 that includes the beginning, with this weight; then the differences of the other weights, and
/// the same for increments instead of rates.
const FIRST: f64 = 0.125;
const DIFFERENCES: Numbers = [-0.197_192_204_971_774_48, 0.121_709_574_400_127_8, -0.080_767_369_428_353_32, 0.031_25];
const OF_INCREMENTS: Numbers = [-2.225_948_154_314_313_5, 0.297_239_129_633_513_4, -0.102_540_975_319_199_93, 0.031_25];
/// Integrals of a rate to the first three nodes, from the rates at the nodes; column by column.
const INTEGRALS: [[f64; 3]; STAGES] = [
    [0.112_999_479_323_156_15, 0.234_383_995_747_400_26, 0.216_681_784_623_250_35],
    [-0.040_309_220_723_522_21, 0.206_892_573_935_358_93, 0.406_123_263_867_373_3],
    [0.025_802_377_420_336_392, -0.047_857_128_048_540_72, 0.189_036_518_170_056_35],
    [-0.009_904_676_507_266_424, 0.016_047_422_806_516_273, -0.024_182_104_899_832_94],
];
/// The coefficients of the dense output from increments at the nodes: the polynomial of degree four itself.
const DENSE: [Numbers; 3] = [
    [17.807_585_234_514_51, -2.377_913_037_068_107, 0.820_327_802_553_599_5, -1.25],
    [-66.097_914_370_165_9, 29.861_356_199_475_747, -11.263_441_829_309_84, 2.5],
    [55.213_817_392_096_86, -34.078_680_832_035_784, 22.614_863_439_938_93, -8.75],
];
/// The same for an integral, from rates at the nodes.
const DENSE_INTEGRALS: [Numbers; 3] = [
    [1.357_075_428_597_427_5, -1.361_870_064_044_194_3, 0.317_294_635_446_766_8, -0.3125],
    [-2.359_433_072_338_885, 5.238_586_179_029_931, -4.441_653_106_691_046, 1.5625],
    [1.222_819_854_918_226_3, -3.488_522_646_142_565, 4.453_202_791_224_339, -2.1875],
];

/// The square of what a change counts by which the iteration does not converge.
const DIVERGES: f64 = 100.0;
/// The mean over the stages.
const SHARE: f64 = 1.0 / STAGES as f64;

/// The increments of velocity and memory at the stages, as linear functions of what drives them there, column by column.
struct LinearSolution {
    velocity: [Numbers; STAGES],
    /// Of the velocity by what drives the memory over `−gain·∂F/∂z`, and of the memory by what drives the velocity over `∂ż/∂v`.
    mixed: [Numbers; STAGES],
    memory: [Numbers; STAGES],
}

impl LinearSolution {
    #[inline(always)]
    fn new<const LEN: usize>(course: &Coefficients, d: &Derivatives, h: f64) -> Self {
        let (by_h, zero) = (1.0 / h, [[0.0; STAGES]; STAGES]);
        let mut out = Self { velocity: zero, mixed: zero, memory: zero };
        for q in 0..2 {
            let ([lambda, swing], [inverse, phase]) = (EIGENVALUES[q], RECIPROCALS[q]);
            // the diagonal of the system of one stage with step h·λ
            let stiff = -h * course.by[0][1];
            let a = [lambda.mul_add(stiff, inverse.mul_add(by_h, -d.own)), swing.mul_add(stiff, phase * by_h)];
            if LEN == 0 {
                let by_size = 1.0 / a[0].mul_add(a[0], a[1] * a[1]);
                let (re, im) = (a[0] * by_size, -a[1] * by_size);
                for j in 0..STAGES {
                    add(&mut out.velocity[j], re, &REAL[q][j]);
                    add(&mut out.velocity[j], im, &IMAGINARY[q][j]);
                }
                continue;
            }
            let b = [inverse.mul_add(by_h, -d.rate_by_z), phase * by_h];
            let re = a[0].mul_add(b[0], (-a[1]).mul_add(b[1], d.force_by_z * d.rate_by_v));
            let im = a[0].mul_add(b[1], a[1] * b[0]);
            let by_size = 1.0 / re.mul_add(re, im * im);
            let (re, im) = (re * by_size, -im * by_size);
            let times = |x: [f64; 2]| [x[0].mul_add(re, -x[1] * im), x[0].mul_add(im, x[1] * re)];
            let (velocity, memory) = (times(b), times(a));
            for j in 0..STAGES {
                add(&mut out.velocity[j], velocity[0], &REAL[q][j]);
                add(&mut out.velocity[j], velocity[1], &IMAGINARY[q][j]);
                add(&mut out.mixed[j], re, &REAL[q][j]);
                add(&mut out.mixed[j], im, &IMAGINARY[q][j]);
                add(&mut out.memory[j], memory[0], &REAL[q][j]);
                add(&mut out.memory[j], memory[1], &IMAGINARY[q][j]);
            }
        }
        out
    }
    /// Adds what forces and rates at the stages do.
    #[inline(always)]
    fn apply<const LEN: usize>(&self, d: &Derivatives, force: &Numbers, rate: &Numbers, to: &mut [Numbers; 2]) {
        let (mut by_force, mut by_rate) = ([0.0; STAGES], [0.0; STAGES]);
        for j in 0..STAGES {
            add(&mut to[0], force[j], &self.velocity[j]);
            if LEN > 0 {
                add(&mut to[1], rate[j], &self.memory[j]);
                add(&mut by_rate, rate[j], &self.mixed[j]);
                add(&mut by_force, force[j], &self.mixed[j]);
            }
        }
        if LEN > 0 {
            add(&mut to[0], -d.force_by_z, &by_rate);
            add(&mut to[1], d.rate_by_v, &by_force);
        }
    }
}

/// The derivatives of the acceleration, less its sign, and of the memory's rate.
struct Derivatives {
    /// Of the acceleration by the velocity.
    own: f64,
    /// Of the contact's force over the mass.
    force_by_v: f64,
    force_by_z: f64,
    rate_by_v: f64,
    rate_by_z: f64,
}

/// See the module.
pub(super) struct Collocation;

impl StageMethod for Collocation {
    #[inline(always)]
    fn attempt<const LEN: usize>(
        step: &mut TrialStep<'_>,
        contact: &Contact<'_, LEN>,
        course: &Coefficients,
        slopes: &LawSlopes,
        h: f64,
    ) -> f64 {
        let Coefficients { c, gain, .. } = *course;
        let force_by_v = gain * c * slopes.by_v;
        let mut d = Derivatives {
            own: course.by[1][1] - force_by_v,
            force_by_v,
            force_by_z: 0.0,
            rate_by_v: 0.0,
            rate_by_z: 0.0,
        };
        if LEN > 0 {
            (d.force_by_z, d.rate_by_v, d.rate_by_z) =
                (gain * slopes.by_w[0], c * slopes.rate_by_v[0], slopes.rate_by_w[0][0]);
        }
        step.h = h;
        let system = LinearSolution::new::<LEN>(course, &d, h);
        let (v0, z0, slip) = (step.y0[1], step.y0[2], course.slip(&step.y0));
        let (mut drive, rates) = ([0.0; STAGES], [slopes.rate[0]; STAGES]);
        let growth = h * course.by[0][1].mul_add(v0, course.by_t[1]);
        for i in 0..STAGES {
            drive[i] = NODES[i].mul_add(growth, step.first[1]);
        }
        let mut now = [[0.0; STAGES]; 2];
        system.apply::<LEN>(&d, &drive, &rates, &mut now);
        let (mut moved, mut pushes) = ([[[0.0; STAGES]; 2]; ITERATIONS], [0.0; STAGES]);
        for moved in &mut moved {
            let [v, z] = now;
            let (mut slips, mut memory) = ([0.0; STAGES], [0.0; STAGES]);
            for i in 0..STAGES {
                slips[i] = c.mul_add(v[i], slip);
                memory[i] = z0 + z[i];
            }
            let (forces, bends) = contact.flow_at_stages(course, &memory, &slips);
            // what the linear system has of force and rate is taken away again, beside the law
            let (mut force, mut rate) = (drive, [0.0; STAGES]);
            for i in 0..STAGES {
                force[i] += v[i].mul_add(d.force_by_v, z[i] * d.force_by_z);
                rate[i] = -v[i].mul_add(d.rate_by_v, z[i] * d.rate_by_z);
            }
            now = [[0.0; STAGES]; 2];
            system.apply::<LEN>(&d, &force, &rate, &mut now);
            for i in 0..STAGES {
                pushes[i] = slopes.f - forces[i];
                force[i] = gain * pushes[i];
            }
            system.apply::<LEN>(&d, &force, &bends, &mut now);
            for i in 0..STAGES {
                moved[0][i] = now[0][i] - v[i];
                moved[1][i] = now[1][i] - z[i];
            }
        }
        let [v, z] = now;
        let [first, last] = moved;
        // the force that the last iteration has taken the motion with
        for i in 0..STAGES {
            step.work.forces[i] = slopes.f - pushes[i] + slopes.by_v * c * last[0][i];
            if LEN > 0 {
                step.work.forces[i] += slopes.by_w[0] * last[1][i];
            }
        }
        let mut speeds = [0.0; STAGES];
        for i in 0..STAGES {
            speeds[i] = h * (v0 + v[i]);
        }
        step.work.increments = [speeds, v, z];
        step.y1 = step.y0;
        step.y1[0] += dot(&WEIGHTS, &speeds);
        step.y1[1] += v[STAGES - 1];
        step.y1[2] += z[STAGES - 1];
        // the estimate, with what is stiff in it damped
        let e = h * FIRST;
        let x = e.mul_add(v0, dot(&DIFFERENCES, &speeds));
        let r = e.mul_add(step.first[1], dot(&OF_INCREMENTS, &v)) + e * course.by[0][1] * x;
        let w = e.mul_add(slopes.rate[0], dot(&OF_INCREMENTS, &z));
        let (a, b) = (1.0 - e * e.mul_add(course.by[0][1], d.own), 1.0 - e * d.rate_by_z);
        let mut error = [0.0; STATE_MAX];
        if LEN > 0 {
            let by_det = 1.0 / (a * b + e * e * d.force_by_z * d.rate_by_v);
            error[1] = (b * r - e * d.force_by_z * w) * by_det;
            error[2] = (a * w + e * d.rate_by_v * r) * by_det;
        } else {
            error[1] = r / a;
        }
        error[0] = e.mul_add(error[1], x);
        // what another iteration would change
        let mut by = [0.0; STATE_MAX];
        let mut size = 0.0;
        for i in 0..STATE_MAX {
            by[i] = 1.0 / course.rtol.mul_add(step.y0[i].abs().max(step.y1[i].abs()), course.atol[i]);
            size += step.y1[i].abs();
        }
        let sizes = |moved: &[Numbers; 2]| [dot(&moved[0], &moved[0]), dot(&moved[1], &moved[1])];
        let norm = |sizes: &[f64; 2]| sizes[0] * by[1] * by[1] + sizes[1] * by[2] * by[2];
        let (before, after) = (sizes(&first), sizes(&last));
        let (before, now) = (norm(&before), norm(&after));
        let ratio = if now < before { now / before } else { DIVERGES };
        let mut sum = 0.0;
        for i in 0..STATE_MAX {
            let left = if i == 1 || i == 2 { ratio * after[i - 1] * SHARE } else { 0.0 };
            step.work.error[i] = error[i].mul_add(error[i], left);
            sum += step.work.error[i] * by[i] * by[i];
        }
        if size < 1e300 { sum * course.share } else { f64::INFINITY }
    }
    #[inline(always)]
    fn prepare_dense_output(step: &mut TrialStep<'_>) {
        let [speeds, v, z] = step.work.increments;
        let mut x = [0.0, 0.0, 0.0, step.y1[0] - step.y0[0]];
        for j in 0..STAGES {
            for i in 0..3 {
                x[i] = INTEGRALS[j][i].mul_add(speeds[j], x[i]);
            }
        }
        step.work.increments[0] = x;
        for (row, weights) in step.work.dense.iter_mut().zip(&DENSE) {
            *row = [dot(weights, &x), dot(weights, &v), dot(weights, &z), 0.0];
        }
    }
    #[inline(always)]
    fn growth(step: &TrialStep<'_>, course: &Coefficients) -> Numbers {
        let mut out = [0.0; STATE_MAX];
        for j in 0..STAGES {
            add(&mut out, WEIGHTS[j], &powers(step, course, j));
        }
        out
    }
    #[inline(always)]
    fn energies(step: &TrialStep<'_>, course: &Coefficients) -> [Numbers; 4] {
        let mut out = [[0.0; STATE_MAX]; 4];
        for j in 0..STAGES {
            let powers = powers(step, course, j);
            add(&mut out[0], WEIGHTS[j], &powers);
            for row in 0..3 {
                add(&mut out[1 + row], DENSE_INTEGRALS[row][j], &powers);
            }
        }
        out
    }
}

/// The powers at a stage.
#[inline(always)]
fn powers(step: &TrialStep<'_>, course: &Coefficients, stage: usize) -> Numbers {
    let ([x, v, z], mut y) = (step.work.increments, step.y0);
    add(&mut y, 1.0, &[x[stage], v[stage], z[stage], 0.0]);
    course.powers(step.since + NODES[stage] * step.h, &y, course.slip(&y), step.work.forces[stage])
}

#[inline(always)]
fn dot(a: &Numbers, b: &Numbers) -> f64 {
    let mut x = [0.0; STAGES];
    for i in 0..STAGES {
        x[i] = a[i] * b[i];
    }
    (x[0] + x[2]) + (x[1] + x[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_method_has_its_order() {
        for degree in 0..7 {
            let power = |x: f64| x.powi(degree);
            let exact = 1.0 / f64::from(degree + 1);
            let sum: f64 = WEIGHTS.iter().zip(NODES).map(|(w, x)| w * power(x)).sum();
            assert!((sum - exact).abs() < 1e-15, "the end, degree {degree}");
            if degree > 3 {
                continue;
            }
            for i in 0..3 {
                let sum: f64 = INTEGRALS.iter().zip(NODES).map(|(row, x)| row[i] * power(x)).sum();
                assert!((sum - exact * NODES[i].powi(degree + 1)).abs() < 1e-15, "stage {i}, degree {degree}");
            }
            let sum: f64 = DIFFERENCES.iter().zip(NODES).map(|(w, x)| w * power(x)).sum();
            let start = if degree == 0 { FIRST } else { 0.0 };
            assert!((sum + start).abs() < 1e-15, "the estimate, degree {degree}");
            for theta in [0.3, 0.7] {
                let weights = |rows: &[Numbers; 3]| rows.map(|row| dot(&row, &NODES.map(|x| power(x) * x)));
                let dense = super::super::super::rodas5p::dense_output(theta, 0.0, 1.0, weights(&DENSE));
                assert!((dense - theta.powi(degree + 1)).abs() < 1e-13, "dense output, degree {}", degree + 1);
                let rows = DENSE_INTEGRALS.map(|row| dot(&row, &NODES.map(power)));
                let dense = super::super::super::rodas5p::dense_output(theta, 0.0, exact, rows);
                assert!((dense - exact * theta.powi(degree + 1)).abs() < 1e-14, "an integral, degree {degree}");
            }
        }
    }

    #[test]
    fn the_eigenvalues_give_the_method() {
        // the matrix itself, and its inverse
        for i in 0..3 {
            for j in 0..STAGES {
                let sum: f64 =
                    (0..2).map(|q| EIGENVALUES[q][0] * REAL[q][j][i] + EIGENVALUES[q][1] * IMAGINARY[q][j][i]).sum();
                assert!((sum - INTEGRALS[j][i]).abs() < 1e-14, "{i}, {j}: {sum}");
            }
        }
        for q in 0..2 {
            let ([a, b], [c, d]) = (EIGENVALUES[q], RECIPROCALS[q]);
            assert!((a * c - b * d - 1.0).abs() < 1e-15 && (a * d + b * c).abs() < 1e-15);
        }
    }
}
