//! Removes what no output depends on: operations, and numbers that a loop carries for nothing.
use super::operation::{Loop, Operation, OperationId};
use super::straight_line::Program;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

/// The operations that these outputs depend on, and the outputs among them.
pub(super) fn remove(operations: &[Operation], outputs: &[OperationId]) -> (Vec<Operation>, Vec<OperationId>) {
    let mut needed = vec![false; operations.len()];
    outputs.iter().for_each(|id| needed[*id as usize] = true);
    // of each loop, the carried numbers that are used after it, and what is left of it
    let mut used: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    let mut shortened: BTreeMap<usize, (Loop, Vec<u32>)> = BTreeMap::new();
    for i in (0..operations.len()).rev() {
        if !needed[i] {
            continue;
        }
        match &operations[i] {
            Operation::Repeat(repeat) => {
                let (rest, carried) = shorten(repeat, used.remove(&i).unwrap_or_default());
                rest.start.iter().chain(&rest.captured).for_each(|id| needed[*id as usize] = true);
                shortened.insert(i, (rest, carried));
            }
            operation => {
                if let Operation::Carried(repeat, k) = operation {
                    used.entry(*repeat as usize).or_default().insert(*k);
                }
                operation.operands().for_each(|id| needed[id as usize] = true);
            }
        }
    }
    let mut place: Vec<OperationId> = vec![0; operations.len()];
    let mut kept: Vec<Operation> = Vec::new();
    for (i, operation) in operations.iter().enumerate().filter(|(i, _)| needed[*i]) {
        place[i] = kept.len() as OperationId;
        let operation = match (operation, shortened.get(&i)) {
            (Operation::Repeat(_), Some((rest, _))) => Operation::Repeat(Box::new(rest.clone())),
            (Operation::Carried(repeat, k), _) => {
                let carried = shortened.get(&(*repeat as usize)).map_or(&[][..], |(_, carried)| carried);
                let k = carried.iter().position(|old| old == k).unwrap_or(0);
                Operation::Carried(*repeat, k as u32)
            }
            (operation, _) => operation.clone(),
        };
        kept.push(operation.renumber(|id| place[id as usize]));
    }
    (kept, outputs.iter().map(|id| place[*id as usize]).collect())
}

/// The loop without the numbers that nobody uses, and the numbers that are left. A turn uses what its end and the next values of
/// the numbers used depend on.
fn shorten(repeat: &Loop, mut used: BTreeSet<u32>) -> (Loop, Vec<u32>) {
    let carried = repeat.start.len();
    let body = loop {
        let outputs: Vec<usize> = used.iter().map(|k| *k as usize).chain([carried]).collect();
        let body = repeat.body.with_outputs(&outputs);
        let before = used.len();
        used.extend(body.used_inputs().into_iter().filter(|i| (*i as usize) < carried));
        if used.len() == before {
            break body;
        }
    };
    let left: Vec<u32> = used.into_iter().collect();
    let captured: Vec<u32> = body.used_inputs().into_iter().filter(|i| *i as usize >= carried).collect();
    let inputs: Vec<u32> = left.iter().chain(&captured).copied().collect();
    let place = |i: u32| inputs.iter().position(|old| *old == i).unwrap_or(0) as u32;
    let body: Program = body.renumber_inputs(inputs.len() as u32, place);
    let start = left.iter().map(|k| repeat.start[*k as usize]).collect();
    let captured = captured.iter().map(|i| repeat.captured[*i as usize - carried]).collect();
    (Loop { count: repeat.count, start, captured, body }, left)
}
