//! The columns of a network's trace, each computed by itself: who asks for three of a million pays for three.
use super::Network;
use crate::system::{NodeKind, SignalDerivatives, System};

/// What stands in a column.
#[derive(Clone, Copy)]
enum Cell {
    Time,
    /// Position and velocity of a place.
    Position(usize),
    Velocity(usize),
    /// Force and sliding velocity of a contact, and a number of its memory.
    Force(usize),
    Slip(usize),
    Memory(usize),
    /// Force and stretch of a spring.
    Pull(usize),
    Stretch(usize),
    /// A force from outside.
    Push(usize),
}

/// All columns of a system, in the order of [`Simulation::columns`](crate::sim::Simulation::columns).
pub(super) struct Cells<'s> {
    system: &'s System,
    cells: Vec<Cell>,
    /// Signals at the time of the row.
    jets: Vec<SignalDerivatives>,
}

impl<'s> Cells<'s> {
    pub fn new(system: &'s System, network: &Network<'_>) -> Self {
        let net = &network.net;
        let mut cells = vec![Cell::Time];
        cells.extend((1..system.nodes.len()).flat_map(|k| [Cell::Position(k), Cell::Velocity(k)]));
        // contacts stand in the order of their bodies there
        let mut rubs = vec![0; net.rubs.len()];
        net.rubs.iter().enumerate().for_each(|(c, rub)| rubs[rub.index] = c);
        for (joint, &c) in system.contacts.iter().zip(&rubs) {
            cells.extend([Cell::Force(c), Cell::Slip(c)]);
            cells.extend((0..joint.component.entry.states.len()).map(|k| Cell::Memory(net.rubs[c].at + k)));
        }
        cells.extend((0..net.springs.len()).flat_map(|k| [Cell::Pull(k), Cell::Stretch(k)]));
        cells.extend((net.motions..net.signals.len()).map(Cell::Push));
        Self { system, cells, jets: vec![SignalDerivatives::default(); net.signals.len()] }
    }
    /// Fills a whole row.
    pub fn fill(&mut self, network: &Network<'_>, row: &mut Vec<f64>) {
        self.look(network);
        row.clear();
        row.extend(self.cells.iter().map(|&cell| self.value(network, cell)));
    }
    /// Fills these columns of a row, and leaves the others as they are.
    pub fn fill_some(&mut self, network: &Network<'_>, which: &[usize], row: &mut Vec<f64>) {
        if which.is_empty() {
            return;
        }
        self.look(network);
        row.resize(self.cells.len(), 0.0);
        for &k in which {
            row[k] = self.value(network, self.cells[k]);
        }
    }
    fn look(&mut self, network: &Network<'_>) {
        for (jet, signal) in self.jets.iter_mut().zip(&network.net.signals) {
            *jet = signal.eval(network.t, network.t);
        }
    }
    fn value(&self, network: &Network<'_>, cell: Cell) -> f64 {
        let Network { net, x, v, points, .. } = network;
        let place = |k: usize| &self.system.nodes[k].kind;
        match cell {
            Cell::Time => network.t,
            Cell::Position(k) => match *place(k) {
                NodeKind::Ground => 0.0,
                NodeKind::Coordinate { index, scale, offset } => offset + scale * x[index],
                NodeKind::Motion(k) => self.jets[k][0],
            },
            Cell::Velocity(k) => match *place(k) {
                NodeKind::Ground => 0.0,
                NodeKind::Coordinate { index, scale, .. } => scale * v[index],
                NodeKind::Motion(k) => self.jets[k][1],
            },
            // who sleeps has not been computed since, but what pulls has gone on
            Cell::Force(c) if points[c].held && net.rests => {
                network.strain(c)[0].max(points[c].low).min(points[c].high)
            }
            Cell::Force(c) => points[c].force,
            Cell::Slip(c) if points[c].held => 0.0,
            Cell::Slip(c) => net.rubs[c].row.driven(&self.jets, 1) + net.rubs[c].rate(v),
            Cell::Memory(k) => network.memory[k],
            Cell::Pull(k) => {
                let spring = &net.springs[k];
                let speed: f64 = spring.row.coordinates().map(|(i, c)| c * v[i]).sum();
                spring.pull(spring.row.x(x, &self.jets)).0
                    + spring.what.damping * (speed + spring.row.driven(&self.jets, 1))
            }
            Cell::Stretch(k) => net.springs[k].row.x(x, &self.jets),
            Cell::Push(k) => self.jets[k][0],
        }
    }
}
