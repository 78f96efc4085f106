//! Drawings one after another: as a GIF, or as pixels for another encoder.
use super::png;
use super::scene::{Colour, Scene, Shape};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::collections::HashMap;
use std::io::{self, Write};

/// Colours of a GIF.
const MAX_COLOURS: usize = 256;

/// Width, height, and red, green and blue of each pixel row by row, one pixel to the unit.
///
/// # Errors
/// [`io::Error`] if the drawing has no size, or is too large.
pub fn rgb(scene: &Scene) -> io::Result<(u32, u32, Vec<u8>)> {
    let pixels = png::pixels(scene, 1.0)?;
    // the paper is opaque, so that all pixels are
    let values = pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    Ok((pixels.width(), pixels.height(), values))
}

/// Writes drawings of one size as a GIF that repeats itself, each shown for `hundredths` of a second.
///
/// # Errors
/// [`io::Error`] of the output, or if a drawing has no size or more than 65535 pixels in a direction.
pub fn write_gif(out: &mut dyn Write, scenes: impl IntoIterator<Item = Scene>, hundredths: u16) -> io::Result<()> {
    let mut scenes = scenes.into_iter().peekable();
    let Some(first) = scenes.peek() else { return Ok(()) };
    let palette = palette(first);
    let (width, height, _) = rgb(first)?;
    let size = |x: u32| u16::try_from(x).map_err(io::Error::other);
    let (width, height) = (size(width)?, size(height)?);
    let mut nearest = HashMap::new();
    let mut encoder = Encoder::new(out, width, height, palette.as_flattened()).map_err(io::Error::other)?;
    encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
    let mut shown: Vec<u8> = Vec::new();
    for scene in scenes {
        let (_, _, values) = rgb(&scene)?;
        let (colours, _) = values.as_chunks::<3>();
        let indices: Vec<u8> =
            colours.iter().map(|colour| *nearest.entry(*colour).or_insert_with(|| index(&palette, *colour))).collect();
        let [left, top, right, bottom] = changed(&shown, &indices, width.into());
        let rows = indices.chunks(width.into()).take(bottom).skip(top);
        let mut frame = Frame {
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            delay: hundredths,
            dispose: DisposalMethod::Keep,
            ..Frame::default()
        };
        frame.buffer = rows.flat_map(|row| &row[left..right]).copied().collect();
        encoder.write_frame(&frame).map_err(io::Error::other)?;
        shown = indices;
    }
    Ok(())
}

/// The colours of a drawing and blends of each two of them, which are those of smooth edges.
fn palette(scene: &Scene) -> Vec<[u8; 3]> {
    let mut colours = vec![scene.paper, scene.ink];
    for shape in &scene.shapes {
        let colour = match shape {
            Shape::Strokes { pen, .. } => pen.colour,
            Shape::Fill { colour, .. } | Shape::Cells { colour, .. } | Shape::Dot { colour, .. } => *colour,
            Shape::Text(text) => text.ink.unwrap_or(scene.ink),
        };
        if !colours.contains(&colour) {
            colours.push(colour);
        }
    }
    let mut out: Vec<[u8; 3]> =
        colours.iter().map(|Colour(rgb)| [(rgb >> 16) as u8, (rgb >> 8) as u8, *rgb as u8]).collect();
    out.truncate(MAX_COLOURS);
    let pure = out.len();
    let pairs = pure * (pure - 1) / 2;
    let steps = (MAX_COLOURS - pure) / pairs.max(1);
    for (i, j) in (0..pure).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let blend = |step: usize, k: usize| {
            let (a, b) = (f64::from(out[i][k]), f64::from(out[j][k]));
            (a + (b - a) * step as f64 / (steps + 1) as f64).round() as u8
        };
        let between: Vec<[u8; 3]> = (1..=steps).map(|step| [0, 1, 2].map(|k| blend(step, k))).collect();
        out.extend(between);
    }
    out
}

/// Where in the palette the nearest colour is.
fn index(palette: &[[u8; 3]], colour: [u8; 3]) -> u8 {
    let distance =
        |other: &[u8; 3]| -> i32 { other.iter().zip(colour).map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2)).sum() };
    let best = (0..palette.len()).min_by_key(|k| distance(&palette[*k]));
    best.unwrap_or_default() as u8
}

/// The smallest rectangle that holds all changes, at least one pixel: left, top, and the first column and row behind it.
fn changed(before: &[u8], now: &[u8], width: usize) -> [usize; 4] {
    if before.len() != now.len() {
        return [0, 0, width, now.len() / width];
    }
    let places = || (0..now.len()).filter(|k| before[*k] != now[*k]);
    let (Some(first), Some(last)) = (places().next(), places().next_back()) else { return [0, 0, 1, 1] };
    let columns = || places().map(|k| k % width);
    let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
    [left, first / width, right + 1, last / width + 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Pen, add_strokes};

    fn scene(x: f64) -> Scene {
        let mut shapes = Vec::new();
        add_strokes(&mut shapes, vec![vec![(x, 2.0), (x, 18.0)]], Pen::solid(Colour(0x00_72_b2), 2.0));
        Scene { size: (40.0, 20.0), zoom: 1.0, paper: Colour(0xff_ff_ff), ink: Colour(0), shapes }
    }

    /// Every pixel of every frame, put together from what changed, is that of the drawing within half a step of the palette.
    #[test]
    fn frames_of_a_gif_are_the_drawings() {
        let places = [5.0, 5.5, 5.5, 30.3];
        let mut bytes = Vec::new();
        write_gif(&mut bytes, places.map(scene), 4).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let colours: Vec<[u8; 3]> = decoder.global_palette().unwrap().as_chunks::<3>().0.to_vec();
        let mut canvas = vec![[0; 3]; 40 * 20];
        for x in places {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            assert_eq!(frame.delay, 4);
            for (k, at) in frame.buffer.iter().enumerate() {
                let (row, column) = (k / usize::from(frame.width), k % usize::from(frame.width));
                let place = (row + usize::from(frame.top)) * 40 + column + usize::from(frame.left);
                canvas[place] = colours[usize::from(*at)];
            }
            let (_, _, exact) = rgb(&scene(x)).unwrap();
            // three colours give 84 steps between each two: at most 255/85/2 from the nearest, and a rounding
            for (a, b) in canvas.as_flattened().iter().zip(exact) {
                assert!(a.abs_diff(b) <= 3, "{x}: {a} {b}");
            }
        }
        assert!(decoder.read_next_frame().unwrap().is_none());
    }
}
