//! Figures as SVG, PNG and terminal text.
mod figure;
mod terminal;
