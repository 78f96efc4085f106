//! Steps one after another, until there is something for the caller to do.
use super::super::step_size::{ORDER, after_rejected, clip_to_breakpoint, min_step};
use super::SingleContact;
use super::add;
use super::law::{Contact, V_MAX};
use super::step::{StageMethod, TrialStep};
use crate::dispatch::InPlaceKernel;
use std::marker::PhantomData;

/// Takes steps of a system whose law has `LEN` numbers of memory. The law is called through its functions, so that this is
/// compiled a few times and not once per law.
pub(super) struct Kernel<M, const LEN: usize>(PhantomData<M>);

impl<M: StageMethod, const LEN: usize> InPlaceKernel<SingleContact> for Kernel<M, LEN> {
    #[inline(always)]
    fn run(kernel: &mut SingleContact) {
        let contact =
            Contact::<LEN> { functions: kernel.functions, parameters: &kernel.parameters, model: &*kernel.model };
        let course = kernel.course;
        let SingleContact { stop, due, limit, .. } = *kernel;
        let (mut t, mut h, mut y, mut energies, mut control) =
            (kernel.t, kernel.h, kernel.y, kernel.energies, kernel.control);
        let mut left = kernel.budget;
        kernel.stalled = false;
        loop {
            let slip = course.slip(&y);
            kernel.fastest = kernel.fastest.max(slip.abs());
            let slopes = contact.slopes(&course, &y, slip);
            let mut step = TrialStep::new(&mut kernel.work, &course, &slopes, t, &y);
            M::begin(&mut step, &course, &slopes);
            let (mut rejected, mut lands, mut clear) = (false, false, true);
            let mut found = slip.abs() <= V_MAX;
            while found {
                let (length, ends) = clip_to_breakpoint(h.min(limit), stop - t, min_step(t));
                if rejected && length <= min_step(t) || length <= 0.0 {
                    found = false;
                    break;
                }
                let mut error = M::attempt(&mut step, &contact, &course, &slopes, length);
                if error > 1.0 && error.is_finite() {
                    error = step.error_above_rounding(&course, &slopes);
                }
                if error <= 1.0 {
                    M::prepare_dense_output(&mut step);
                    lands = ends;
                    clear = contact.is_clear(&course, &step, &kernel.sides, kernel.free);
                    let next = length * control.accept(length, error, !rejected);
                    h = if lands && length < h { h.max(next) } else { next };
                    break;
                }
                rejected = true;
                h = length * after_rejected(error, ORDER);
                kernel.rejected += 1;
            }
            if found {
                kernel.steps += 1;
                left -= 1;
                let end = t + step.h;
                if left > 0 && !lands && clear && end < due {
                    let grown = M::growth(&step, &course);
                    add(&mut energies, step.h, &grown);
                    (t, y) = (end, step.y1);
                    continue;
                }
                kernel.last_energies = M::energies(&step, &course);
                (kernel.length, kernel.lands, kernel.clear, kernel.y1) = (step.h, lands, clear, step.y1);
            }
            (kernel.t, kernel.h, kernel.y, kernel.energies, kernel.control) = (t, h, y, energies, control);
            kernel.stalled = !found;
            return;
        }
    }
}
