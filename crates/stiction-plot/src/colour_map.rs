//! Colours for values. Their lightness increases evenly, so that they can be read in grey and by the colour-blind.
use super::scene::Colour;

/// Ten colours at equal distances of viridis (Smith2015), which is in the public domain (CC0).
const VIRIDIS: [u32; 10] = [
    0x44_01_54, 0x48_28_78, 0x3e_4a_89, 0x31_68_8e, 0x26_82_8e, 0x1f_9e_89, 0x35_b7_79, 0x6d_cd_59, 0xb4_de_2c,
    0xfd_e7_25,
];

/// The colour of a value from 0 to 1.
pub fn viridis(value: f64) -> Colour {
    let last = VIRIDIS.len() - 1;
    let at = value.clamp(0.0, 1.0) * last as f64;
    let k = (at as usize).min(last - 1);
    mix(Colour(VIRIDIS[k]), Colour(VIRIDIS[k + 1]), at - k as f64)
}

/// Linear interpolation between two colours.
pub fn mix(a: Colour, b: Colour, t: f64) -> Colour {
    let part = |shift: u32| {
        let [a, b] = [a, b].map(|c| f64::from(c.0 >> shift & 255));
        ((a + t * (b - a)).round() as u32) << shift
    };
    Colour(part(16) | part(8) | part(0))
}

/// How light a colour is in a picture turned to grey: the luma of Rec. 601, from 0 to 1.
fn grey(Colour(rgb): Colour) -> f64 {
    let part = |shift: u32| f64::from(rgb >> shift & 255) / 255.0;
    0.299 * part(16) + 0.587 * part(8) + 0.114 * part(0)
}

/// Black or white, whichever has the higher contrast to a colour: judged by its grey, so that it also holds in print. On a grey
/// of 0.45 both have the same contrast.
pub fn text_colour_on(paper: Colour) -> Colour {
    if grey(paper) > 0.45 { Colour(0x00_00_00) } else { Colour(0xff_ff_ff) }
}

#[cfg(test)]
pub mod tests {
    use super::{Colour, grey, text_colour_on, viridis};

    /// Relative luminance as WCAG 2 defines it, from 0 to 1.
    fn luminance(Colour(rgb): Colour) -> f64 {
        let part = |shift: u32| {
            let c = f64::from(rgb >> shift & 255) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
    }

    /// How well one colour reads on another, as WCAG 2 has it: from 1 to 21.
    pub fn contrast(a: Colour, b: Colour) -> f64 {
        let [a, b] = [a, b].map(luminance);
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Three is what WCAG 2 asks of large text and graphics (1.4.3, 1.4.11).
    #[test]
    fn numbers_read_on_every_shade() {
        let worst =
            (0..=200).map(|k| viridis(f64::from(k) / 200.0)).map(|paper| contrast(text_colour_on(paper), paper));
        assert!(worst.fold(21.0, f64::min) > 3.0);
    }

    #[test]
    fn contrast_is_that_of_the_standard() {
        // rounding of 1.05/0.05
        assert!((contrast(Colour(0), Colour(0xff_ff_ff)) - 21.0).abs() < 1e-12);
        // the grey at which white text passes level AA, known as the darkest that does: 4.54
        // 4.54 has two decimals
        assert!((contrast(Colour(0x76_76_76), Colour(0xff_ff_ff)) - 4.54).abs() < 0.005);
    }

    #[test]
    fn grey_rises_evenly_with_the_value() {
        let shades: Vec<f64> = (0..=200).map(|k| grey(viridis(f64::from(k) / 200.0))).collect();
        // equal bytes have equal greys, to rounding
        assert!(shades.windows(2).all(|pair| pair[1] > pair[0] - 1e-12), "{shades:?}");
        // evenly: nowhere further from a straight line than a tenth of the whole
        let (first, last) = (shades[0], shades[200]);
        let off = |(k, shade): (usize, &f64)| (shade - first) / (last - first) - k as f64 / 200.0;
        assert!(shades.iter().enumerate().all(|entry| off(entry).abs() < 0.1));
    }
}
