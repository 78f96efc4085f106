//! The coefficients of Rodas5P (Steinebach2023), an L-stable, stiffly accurate Rosenbrock method of order 5 with an error estimate of order
//! 4, in the form in which stages need no product with the Jacobian.

/// Number of stages.
pub const STAGES: usize = 8;
/// Diagonal coefficient.
pub const GAMMA: f64 = 0.211_937_563_194_290_14;
/// Coefficients of the earlier stages in the argument of a stage. The last two stages, and the step itself, start where the
/// stage before ends (stiffly accurate): their last coefficient is one.
pub const A: [[f64; 7]; STAGES] = [
    [0.0; 7],
    [3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [2.849_394_379_747_939, 0.458_422_422_044_639_23, 0.0, 0.0, 0.0, 0.0, 0.0],
    [-6.954_028_509_809_101, 2.489_845_061_869_568, -10.358_996_098_473_584, 0.0, 0.0, 0.0, 0.0],
    [
        2.802_998_627_562_896_4,
        0.507_246_473_622_820_6,
        -0.398_831_254_177_052_4,
        -0.047_211_872_304_046_41,
        0.0,
        0.0,
        0.0,
    ],
    [
        -7.502_846_399_306_121,
        2.561_846_144_803_919,
        -11.627_539_656_261_098,
        -0.182_687_676_599_422_56,
        0.030_198_172_008_377_946,
        0.0,
        0.0,
    ],
    [
        -7.502_846_399_306_121,
        2.561_846_144_803_919,
        -11.627_539_656_261_098,
        -0.182_687_676_599_422_56,
        0.030_198_172_008_377_946,
        1.0,
        0.0,
    ],
    [
        -7.502_846_399_306_121,
        2.561_846_144_803_919,
        -11.627_539_656_261_098,
        -0.182_687_676_599_422_56,
        0.030_198_172_008_377_946,
        1.0,
        1.0,
    ],
];
/// Coefficients of earlier stages in the right-hand side, over the step.
pub const C: [[f64; 7]; STAGES] = [
    [0.0; 7],
    [-14.155_112_264_123_755, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [-17.972_960_358_859_52, -2.859_693_295_451_294, 0.0, 0.0, 0.0, 0.0, 0.0],
    [147.121_502_757_117_16, -1.412_214_027_182_13, 71.689_402_513_023_58, 0.0, 0.0, 0.0, 0.0],
    [165.435_170_248_716_76, -0.459_282_345_649_112_6, 42.909_383_369_586_03, -5.961_986_721_573_306, 0.0, 0.0, 0.0],
    [
        24.854_864_614_690_072,
        -3.000_922_700_283_218_6,
        47.493_111_002_076_8,
        5.581_419_782_155_812_5,
        -0.661_069_182_524_947_1,
        0.0,
        0.0,
    ],
    [
        30.912_732_140_285_99,
        -3.120_824_334_993_797_4,
        77.799_546_460_708_92,
        34.286_460_282_947_83,
        -19.097_331_116_725_623,
        -28.087_943_162_872_662,
        0.0,
    ],
    [
        37.802_771_233_905_63,
        -3.257_196_902_907_227_6,
        112.269_188_494_963_27,
        66.934_723_124_404_7,
        -40.066_189_370_910_02,
        -54.667_802_628_779_68,
        -9.488_616_523_096_27,
    ],
];
/// Times of the stages, as fractions of the step.
pub const NODES: [f64; STAGES] = [
    0.0,
    0.635_812_689_582_870_4,
    0.409_579_839_339_753_5,
    0.976_930_672_506_071_6,
    0.428_840_360_955_866_4,
    1.0,
    1.0,
    1.0,
];
/// Coefficients of the time derivative.
pub const D: [f64; STAGES] = [
    0.211_937_563_194_290_14,
    -0.423_875_126_388_580_27,
    -0.338_462_712_623_592_4,
    1.804_645_287_288_273_4,
    2.325_825_639_765_069,
    0.0,
    0.0,
    0.0,
];
/// Coefficients of the dense output.
pub const H: [[f64; STAGES]; 3] = [
    [
        25.948_786_856_663_858,
        -2.557_972_484_584_623_5,
        10.433_815_404_888_879,
        -2.367_925_102_268_520_4,
        0.524_948_541_321_073,
        1.124_108_831_045_040_4,
        0.427_287_619_443_187_4,
        -0.172_022_210_701_554_93,
    ],
    [
        -9.915_688_506_951_71,
        -0.968_994_459_411_515_4,
        3.043_803_724_297_845_3,
        -24.495_224_566_215_796,
        20.176_138_334_709_044,
        15.980_663_614_246_51,
        -6.789_040_303_419_874,
        -6.710_236_069_923_372,
    ],
    [
        11.419_903_575_922_262,
        2.887_964_514_613_699_4,
        72.921_379_959_960_29,
        80.125_118_346_226_43,
        -52.072_871_366_152_654,
        -59.789_936_252_667_29,
        -0.155_826_842_827_519_13,
        4.883_087_185_713_722,
    ],
];

/// Weights of the stages' right-hand sides in a quadrature: first at the end of the step, then in the three coefficients of
/// its dense output. The stages `k` of a quadrature solve `k/γ − C·k = h·g`, so `b·k = h·b·(1/γ − C)⁻¹·g`.
pub const WEIGHTS: [[f64; STAGES]; 4] = {
    // the step is the argument of the last stage plus the last stage
    let mut end = [1.0; STAGES];
    let mut j = 0;
    while j < STAGES - 1 {
        end[j] = A[STAGES - 1][j];
        j += 1;
    }
    [unwound(end), unwound(H[0]), unwound(H[1]), unwound(H[2])]
};

/// The same for the estimated error of a quadrature, which is its last stage.
pub const ERROR_WEIGHTS: [f64; STAGES] = {
    let mut last = [0.0; STAGES];
    last[STAGES - 1] = 1.0;
    unwound(last)
};

/// `b·(1/γ − C)⁻¹`, from the last stage to the first.
const fn unwound(b: [f64; STAGES]) -> [f64; STAGES] {
    let mut w = [0.0; STAGES];
    let mut j = STAGES;
    while j > 0 {
        j -= 1;
        let mut sum = b[j];
        let mut i = j + 1;
        while i < STAGES {
            sum += C[i][j] * w[i];
            i += 1;
        }
        w[j] = sum * GAMMA;
    }
    w
}
