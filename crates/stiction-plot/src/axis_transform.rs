//! The transform from values on an axis to pixels, and the ticks of the axis.
use super::{Axis, Scale};
use stiction_io::number::short;
use stiction_io::unit_prefix::readable;

/// An axis with its ends, as values or their decimal logarithms, and in pixels.
#[derive(Clone, Copy)]
pub struct AxisTransform {
    scale: Scale,
    lo: f64,
    hi: f64,
    from: f64,
    to: f64,
    /// The power of ten of the unit in which its numbers are written.
    exponent: i32,
    decimal_comma: bool,
}

/// A tick with its grid line. Without a text it is a minor one.
#[derive(Debug, PartialEq)]
pub struct Tick {
    pub value: f64,
    pub text: String,
}

impl AxisTransform {
    /// The transform that shows all `values`, with a `margin` on either side as a fraction of their span; fixed limits of the
    /// axis are kept.
    pub fn new(axis: &Axis, values: impl Iterator<Item = f64>, ends: (f64, f64), margin: f64) -> Self {
        let free = Self::free(axis.scale, values.filter(|v| axis.has(*v)), ends, margin);
        let [low, high] = [axis.limits.0, axis.limits.1].map(|end| free.inner(end));
        let (lo, hi) = (low.unwrap_or(free.lo), high.unwrap_or(free.hi));
        let map = match (low, high) {
            _ if lo < hi => Self { lo, hi, ..free },
            // all data are beyond the one fixed limit
            (Some(_), None) => Self { lo, hi: lo + (free.hi - free.lo), ..free },
            (None, Some(_)) => Self { lo: hi - (free.hi - free.lo), hi, ..free },
            _ => free,
        };
        Self { exponent: map.unit_of(axis).0, decimal_comma: axis.decimal_comma, ..map }
    }
    /// The power of ten of the unit in which the numbers of an axis are written, and its label with that unit.
    fn unit_of(&self, axis: &Axis) -> (i32, String) {
        let as_it_is = || (0, axis.label.clone());
        let Some((name, unit)) = axis.name_and_unit() else { return as_it_is() };
        if self.scale == Scale::Log {
            return as_it_is();
        }
        let (exponent, unit) = readable(unit, self.lo.abs().max(self.hi.abs()));
        (exponent, format!("{name}[{unit}]"))
    }
    /// The label of this axis, with the unit of its numbers.
    pub fn label(&self, axis: &Axis) -> String {
        self.unit_of(axis).1
    }
    fn free(scale: Scale, values: impl Iterator<Item = f64>, (from, to): (f64, f64), margin: f64) -> Self {
        let map = Self { scale, lo: 0.0, hi: 1.0, from, to, exponent: 0, decimal_comma: false };
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let (lo, hi) = values.filter_map(|v| map.inner(v)).fold(ends, |(a, b), v| (a.min(v), b.max(v)));
        if lo > hi {
            return map;
        }
        let size = lo.abs().max(hi.abs());
        let noise = 1e-9 * size;
        if hi - lo > noise {
            let margin = margin * (hi - lo);
            return Self { lo: lo - margin, hi: hi + margin, ..map };
        }
        // a single value still gets a span
        let half = if size == 0.0 || scale == Scale::Log { 0.5 } else { 0.5 * size };
        Self { lo: lo - half, hi: hi + half, ..map }
    }
    /// The value, or its logarithm on a logarithmic axis; none if the axis cannot show it.
    fn inner(&self, value: f64) -> Option<f64> {
        let v = if self.scale == Scale::Log { value.log10() } else { value };
        // of larger values the span may overflow
        (v.abs() < 1e300).then_some(v)
    }
    /// The pixel of a value; NaN if the axis cannot show it.
    pub fn place(&self, value: f64) -> f64 {
        self.inner(value).map_or(f64::NAN, |v| self.from + (v - self.lo) / (self.hi - self.lo) * (self.to - self.from))
    }
    pub fn is_log(&self) -> bool {
        self.scale == Scale::Log
    }
    /// Its length in pixels.
    pub fn length(&self) -> f64 {
        (self.to - self.from).abs()
    }
    /// The values at its ends.
    pub fn ends(&self) -> [f64; 2] {
        [self.lo, self.hi].map(|v| if self.scale == Scale::Log { 10f64.powf(v) } else { v })
    }
    /// Ticks at round values, about one every `gap` pixels.
    pub fn ticks(&self, gap: f64) -> Vec<Tick> {
        let count = (self.length() / gap).max(1.0);
        let mut ticks = match self.scale {
            Scale::Linear => even(self.lo, self.hi, count, self.exponent),
            Scale::Log if self.hi - self.lo < 1.0 => even(10f64.powf(self.lo), 10f64.powf(self.hi), count, 0),
            Scale::Log => decades(self.lo, self.hi, count),
        };
        if self.decimal_comma {
            ticks.iter_mut().for_each(|tick| tick.text = tick.text.replace('.', ","));
        }
        ticks
    }
}

/// Ticks in steps of 1, 2 or 5 times a power of ten, with numbers that count a unit of this power of ten.
fn even(lo: f64, hi: f64, count: f64, exponent: i32) -> Vec<Tick> {
    let rough = (hi - lo) / count;
    let power = rough.log10().floor();
    let ratio = rough / 10f64.powf(power);
    let (digit, power) =
        [1i32, 2, 5].into_iter().find(|d| f64::from(*d) >= ratio - 1e-9).map_or((1, power + 1.0), |d| (d, power));
    // parsed from decimal text: 0.3, not 0.30000000000000004
    let decimal = |k: i64, power: f64| format!("{}e{power}", k * i64::from(digit)).parse::<f64>().unwrap_or(0.0);
    let (value, unit_power) = (|k: i64| decimal(k, power), power - f64::from(exponent));
    let step = value(1);
    // a trace that starts just after zero still has a tick at zero
    let slack = 1e-3 * (hi - lo);
    let (first, last) = (((lo - slack) / step).ceil() as i64, ((hi + slack) / step).floor() as i64);
    let largest = decimal(first, unit_power).abs().max(decimal(last, unit_power).abs());
    let decimals = (-unit_power).max(0.0) as usize;
    let text = |v: f64| match v {
        0.0 => "0".to_owned(),
        v if (1e-3..1e5).contains(&largest) => format!("{v:.decimals$}"),
        v => short(v),
    };
    (first..=last).map(|k| Tick { value: value(k), text: text(decimal(k, unit_power)) }).collect()
}

/// Ticks at powers of ten, all written with an exponent if one is. If every power has a number, there are minor ticks between
/// them, and if there is room 2 and 5 have numbers, too; else the powers between those with a number are minor ticks.
fn decades(lo: f64, hi: f64, count: f64) -> Vec<Tick> {
    let step = ((hi - lo) / count).ceil().max(1.0) as i64;
    let digits = if step == 1 { 1..=9 } else { 1..=1 };
    let named =
        |digit, power: i64| (digit == 1 && power % step == 0) || (digit == 2 || digit == 5) && count >= 3.0 * (hi - lo);
    // the range in which numbers are written without an exponent
    let plain = lo >= -3.0 - 1e-9 && hi < 5.0 - 1e-9;
    let tick = |digit: i64, power: i64| {
        let text = format!("{digit}e{power}");
        let value = text.parse::<f64>().unwrap_or(0.0);
        let text = if plain { short(value) } else { text };
        Tick { value, text: if named(digit, power) { text } else { String::new() } }
    };
    let powers = lo.floor() as i64..=hi.ceil() as i64;
    let inside = |tick: &Tick| (lo - 1e-9..=hi + 1e-9).contains(&tick.value.log10());
    powers.flat_map(|power| digits.clone().map(move |digit| tick(digit, power))).filter(inside).collect()
}

#[cfg(test)]
mod tests {
    use super::AxisTransform;
    use crate::{Axis, Scale};

    fn texts(scale: Scale, ends: [f64; 2], gap: f64) -> Vec<String> {
        let ticks = AxisTransform::free(scale, ends.into_iter(), (0.0, 350.0), 0.0).ticks(gap);
        ticks.into_iter().map(|tick| tick.text).filter(|text| !text.is_empty()).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(texts(Scale::Linear, [-0.5, 0.5], 50.0), ["-0.4", "-0.2", "0", "0.2", "0.4"]);
        assert_eq!(texts(Scale::Linear, [0.0, 0.0015], 50.0), ["0", "0.0005", "0.0010", "0.0015"]);
        assert_eq!(texts(Scale::Linear, [1e-6, 3e-6], 100.0), ["1e-6", "2e-6", "3e-6"]);
        assert_eq!(texts(Scale::Linear, [0.1, 0.3], 100.0), ["0.1", "0.2", "0.3"]);
        assert_eq!(texts(Scale::Linear, [7.0, 7.0], 100.0), ["4", "6", "8", "10"], "one value in the middle");
        assert_eq!(texts(Scale::Log, [1e-6, 1.0], 50.0).len(), 7);
        assert_eq!(texts(Scale::Log, [1e-12, 1.0], 100.0), ["1e-12", "1e-8", "1e-4", "1e0"]);
        assert_eq!(texts(Scale::Log, [1.0, 50.0], 50.0), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(texts(Scale::Log, [2.0, 3.0], 100.0), ["2.0", "2.5", "3.0"]);
    }

    #[test]
    fn places_lie_between_the_ends() {
        let map = AxisTransform::free(Scale::Log, [1e-6, f64::NAN, -1.0, 0.0, 1.0].into_iter(), (0.0, 100.0), 0.0);
        // two logarithms and a division, on a hundred pixels: rounding
        assert!((map.place(1e-3) - 50.0).abs() < 1e-12, "the middle decade is in the middle");
        assert!(map.place(-1.0).is_nan() && map.place(0.0).is_nan());
        let map =
            AxisTransform::free(Scale::Linear, [-f64::MAX, 0.0, 2.0, f64::INFINITY].into_iter(), (100.0, 0.0), 0.25);
        assert_eq!([-0.5, 2.5].map(|v| map.place(v)), [100.0, 0.0]);
    }

    #[test]
    fn numbers_count_a_readable_unit() {
        let read = |axis: &Axis, ends: [f64; 2]| {
            let map = AxisTransform::new(axis, ends.into_iter(), (0.0, 350.0), 0.0);
            (map.label(axis), map.ticks(100.0).into_iter().map(|tick| tick.text).collect::<Vec<_>>().join(" "))
        };
        let pair = |label: &str, ticks: &str| (label.to_owned(), ticks.to_owned());
        let axis = Axis::linear("slide.x [m]");
        assert_eq!(read(&axis, [-2.9e-4, 2.9e-4]), pair("slide.x [µm]", "-200 0 200"));
        assert_eq!(read(&axis, [0.0, 0.05]), pair("slide.x [mm]", "0 20 40"));
        assert_eq!(read(&axis, [0.0, 3e-3]), pair("slide.x [mm]", "0 1 2 3"));
        assert_eq!(read(&axis, [0.0, 3.0]), pair("slide.x [m]", "0 1 2 3"));
        // a unit that has a prefix already, and one that takes none, stay
        assert_eq!(read(&Axis::linear("x [mm]"), [0.0, 3e-6]), pair("x [mm]", "0 1e-6 2e-6 3e-6"));
        assert_eq!(read(&Axis::linear("share [-]"), [0.0, 0.003]), pair("share [-]", "0 0.001 0.002 0.003"));
        assert_eq!(read(&Axis::log("v [m/s]"), [1e-6, 1e-3]).0, "v [m/s]");
        let comma = Axis { decimal_comma: true, ..Axis::linear("F [N]") };
        assert_eq!(read(&comma, [0.0, 0.3]), pair("F [N]", "0 0,1 0,2 0,3"));
    }

    #[test]
    fn fixed_ends_stay() {
        let map = |axis: &Axis| AxisTransform::new(axis, [0.0, 10.0].into_iter(), (0.0, 100.0), 0.0);
        let axis = Axis::linear("").limits(-10.0, f64::INFINITY);
        assert_eq!([-10.0, 10.0].map(|v| map(&axis).place(v)), [0.0, 100.0]);
        assert_eq!(map(&axis.clone().limits(4.0, 5.0)).place(4.5), 50.0);
        assert_eq!(map(&axis.clone().limits(5.0, 4.0)).place(5.0), 100.0, "two in the wrong order");
        assert_eq!(map(&Axis::log("").limits(0.0, 100.0)).place(100.0), 100.0, "an end that cannot be is none");
        assert_eq!(map(&axis.limits(20.0, f64::NAN)).place(20.0), 0.0, "data beyond the end");
    }
}
