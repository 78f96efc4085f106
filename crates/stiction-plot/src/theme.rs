//! Colours and dash patterns.
use super::scene::{Colour, Pen};

/// Light or dark colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Theme {
    /// For white paper.
    #[default]
    Light,
    /// For a dark screen.
    Dark,
}

/// Every colour of a figure.
pub struct Colours {
    pub paper: Colour,
    pub ink: Colour,
    pub minor: Colour,
    pub grid: Colour,
    pub zero: Colour,
    pub frame: Colour,
    lines: [u32; 7],
    events: [u32; 3],
}

/// The colours of Okabe & Ito (Okabe2008), which the colour-blind can tell apart, without their yellow; orange and sky blue are
/// darker, so that each has a contrast of at least 3 to the paper.
const LIGHT: Colours = Colours {
    paper: Colour(0xff_ff_ff),
    ink: Colour(0x22_22_22),
    minor: Colour(0xf0_f0_f0),
    grid: Colour(0xdd_dd_dd),
    zero: Colour(0x99_99_99),
    frame: Colour(0x44_44_44),
    lines: [0x00_72_b2, 0xd5_5e_00, 0x00_9e_73, 0xcc_79_a7, 0xb8_7d_00, 0x3b_97_cf, 0x00_00_00],
    events: [0x77_77_77, 0x77_77_77, 0x33_33_33],
};

/// The same hues, lighter.
const DARK: Colours = Colours {
    paper: Colour(0x15_18_1d),
    ink: Colour(0xdd_df_e2),
    minor: Colour(0x1f_23_29),
    grid: Colour(0x31_36_3e),
    zero: Colour(0x6b_72_7c),
    frame: Colour(0xa0_a6_ae),
    lines: [0x5a_b0_f2, 0xff_8c_3a, 0x3f_cf_9f, 0xe5_8f_c4, 0xf0_c8_50, 0x8f_d3_ff, 0xf5_f5_f5],
    events: [0x93_99_a2, 0x93_99_a2, 0xc8_cc_d2],
};

/// Dash patterns (lengths of dashes and gaps), which tell lines apart without colours.
const DASHES: [&[f64]; 7] =
    [&[], &[8.0, 3.5], &[2.5, 2.5], &[9.0, 3.0, 2.5, 3.0], &[16.0, 4.0], &[9.0, 2.5, 2.0, 2.5, 2.0, 2.5], &[5.0, 2.0]];
/// Dash patterns of events, which are grey and never solid.
const EVENT_DASHES: [&[f64]; 3] = [&[5.0, 3.0], &[1.5, 2.5], &[9.0, 3.0]];
/// Dash pattern of reference lines.
const REFERENCE_DASHES: &[f64] = &[3.0, 3.0];

impl Theme {
    pub(super) const fn colours(self) -> &'static Colours {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}

impl Colours {
    /// The pen of line number `k`: seven colours, each with a dash pattern of its own; then again with the next pattern.
    pub fn line(&self, k: usize) -> Pen {
        let n = self.lines.len();
        Pen { dash: DASHES[(k + k / n) % DASHES.len()], ..Pen::solid(Colour(self.lines[k % n]), 2.0) }
    }
    pub fn event(&self, k: usize) -> Pen {
        Pen {
            dash: EVENT_DASHES[k % EVENT_DASHES.len()],
            ..Pen::solid(Colour(self.events[k % self.events.len()]), 1.2)
        }
    }
    pub fn across(&self) -> Pen {
        Pen { dash: REFERENCE_DASHES, ..Pen::solid(self.frame, 1.2) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Colours, Theme};
    use crate::colour_map::tests::contrast as against;
    use crate::scene::Colour;

    #[test]
    fn lines_and_text_stand_out_on_either_paper() {
        for theme in [Theme::Light, Theme::Dark] {
            let Colours { paper, ink, lines, events, .. } = theme.colours();
            let contrast = |rgb: u32| against(Colour(rgb), *paper);
            // the contrast that WCAG 2.1 requires of graphics (1.4.11) and, at its strictest, of text (1.4.6)
            assert!(lines.iter().chain(events).all(|rgb| contrast(*rgb) >= 3.0), "{theme:?}");
            assert!(contrast(ink.0) >= 7.0, "{theme:?}");
        }
    }
}
