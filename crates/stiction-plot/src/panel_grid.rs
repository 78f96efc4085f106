//! Panels in rows, and the axes that neighbours share.
use super::{Panel, SeriesStyle};

/// Rows of panels beside each other that share their x axes, column by column.
pub struct PanelGroup<'a> {
    pub rows: Vec<&'a [Panel]>,
}

/// The rows from the top, grouped by equal x axes.
pub fn groups(panels: &[Panel]) -> Vec<PanelGroup<'_>> {
    let mut groups: Vec<PanelGroup<'_>> = Vec::new();
    for row in panels.chunk_by(|_, right| right.beside) {
        let shares = |above: &[Panel]| above.len() == row.len() && above.iter().zip(row).all(|(a, b)| a.x == b.x);
        match groups.last_mut() {
            Some(group) if group.rows.last().is_some_and(|above| shares(above)) => group.rows.push(row),
            _ => groups.push(PanelGroup { rows: vec![row] }),
        }
    }
    groups
}

/// Margin of a shared x axis on either side, as a fraction of its span: none if all lines run from left to right.
pub fn margin_x<'a>(panels: impl IntoIterator<Item = &'a Panel> + Clone) -> f64 {
    let panels = || panels.clone().into_iter();
    let rises =
        |points: &[(f64, f64)]| points.windows(2).all(|p| p[0].0 <= p[1].0 || p[0].0.is_nan() || p[1].0.is_nan());
    // areas and clouds accompany lines
    let series = || {
        panels().flat_map(|panel| &panel.series).filter(|s| !matches!(s.style, SeriesStyle::Area | SeriesStyle::Cloud))
    };
    let within = series().all(|s| s.style == SeriesStyle::Line && rises(&s.points)) && series().count() > 0;
    if within || panels().any(|panel| panel.heat_map.is_some()) { 0.0 } else { 0.04 }
}

/// Margin of a y axis, as a fraction of its span.
pub fn margin_y(panel: &Panel) -> f64 {
    if panel.heat_map.is_some() { 0.0 } else { 0.06 }
}
