//! Every law and controller as a straight-line program, recorded and replayed.
mod recording;
mod replay;
