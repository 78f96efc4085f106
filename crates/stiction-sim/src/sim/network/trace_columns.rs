//! The columns of a network's trace, each computed by itself: the cost is proportional to the columns requested.
use super::Network;
use crate::system::{NodeKind, SignalDerivatives, System};

/// The quantity in a column.
#[derive(Clone, Copy)]
enum TraceColumn {
    Time,
    /// Position and velocity of a node.
    Position(usize),
    Velocity(usize),
    /// Force and sliding velocity of a contact, and one of its states.
    Force(usize),
    Slip(usize),
    Memory(usize),
    /// Force and stretch of a spring.
    Pull(usize),
    Stretch(usize),
    /// An applied force.
    Push(usize),
}

/// All columns of a system, in the order of [`Simulation::columns`](crate::sim::Simulation::columns).
pub(super) struct TraceColumns<'s> {
    system: &'s System,
    cells: Vec<TraceColumn>,
    /// Signals at the time of the row.
    jets: Vec<SignalDerivatives>,
}

impl<'s> TraceColumns<'s> {
    pub fn new(system: &'s System, network: &Network<'_>) -> Self {
        let net = &network.net;
        let mut cells = vec![TraceColumn::Time];
        cells.extend((1..system.nodes.len()).flat_map(|k| [TraceColumn::Position(k), TraceColumn::Velocity(k)]));
        // the network sorts its contacts by their bodies
        let mut contacts = vec![0; net.contacts.len()];
        net.contacts.iter().enumerate().for_each(|(c, contact)| contacts[contact.index] = c);
        for (joint, &c) in system.contacts.iter().zip(&contacts) {
            cells.extend([TraceColumn::Force(c), TraceColumn::Slip(c)]);
            cells.extend((0..joint.component.entry.states.len()).map(|k| TraceColumn::Memory(net.contacts[c].at + k)));
        }
        cells.extend((0..net.springs.len()).flat_map(|k| [TraceColumn::Pull(k), TraceColumn::Stretch(k)]));
        cells.extend((net.motions..net.signals.len()).map(TraceColumn::Push));
        Self { system, cells, jets: vec![SignalDerivatives::default(); net.signals.len()] }
    }
    /// Fills a whole row.
    pub fn fill(&mut self, network: &Network<'_>, row: &mut Vec<f64>) {
        self.look(network);
        row.clear();
        row.extend(self.cells.iter().map(|&cell| self.value(network, cell)));
    }
    /// Fills these columns of a row, and leaves the others unchanged.
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
    fn value(&self, network: &Network<'_>, cell: TraceColumn) -> f64 {
        let Network { net, x, v, points, .. } = network;
        let place = |k: usize| &self.system.nodes[k].kind;
        match cell {
            TraceColumn::Time => network.t,
            TraceColumn::Position(k) => match *place(k) {
                NodeKind::Ground => 0.0,
                NodeKind::Coordinate { index, scale, offset } => offset + scale * x[index],
                NodeKind::Motion(k) => self.jets[k][0],
            },
            TraceColumn::Velocity(k) => match *place(k) {
                NodeKind::Ground => 0.0,
                NodeKind::Coordinate { index, scale, .. } => scale * v[index],
                NodeKind::Motion(k) => self.jets[k][1],
            },
            // a resting contact is not updated, but the forces on it change with time
            TraceColumn::Force(c) if points[c].held && net.rest_is_predictable => {
                network.holding_force(c)[0].max(points[c].low).min(points[c].high)
            }
            TraceColumn::Force(c) => points[c].force,
            TraceColumn::Slip(c) if points[c].held => 0.0,
            TraceColumn::Slip(c) => net.contacts[c].row.driven(&self.jets, 1) + net.contacts[c].rate(v),
            TraceColumn::Memory(k) => network.memory[k],
            TraceColumn::Pull(k) => {
                let spring = &net.springs[k];
                let speed: f64 = spring.row.coordinates().map(|(i, c)| c * v[i]).sum();
                spring.elastic(spring.row.x(x, &self.jets)).0
                    + spring.parameters.damping * (speed + spring.row.driven(&self.jets, 1))
            }
            TraceColumn::Stretch(k) => net.springs[k].row.x(x, &self.jets),
            TraceColumn::Push(k) => self.jets[k][0],
        }
    }
}
