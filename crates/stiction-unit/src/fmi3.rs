//! The interface of FMI 3.0 for co-simulation.
use crate::pointers::{self, refused};
use crate::unit::{Unit, resource_folder};
use std::ffi::{CString, c_char, c_int, c_void};

type Logger = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetDebugLogging(
    c: *mut c_void,
    _on: bool,
    _count: usize,
    _categories: *const c_void,
) -> i32 {
    // errors are all that there is to be told
    unsafe { pointers::with(c, |_| Ok(())) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _on: bool,
    _event_mode: bool,
    _early_return: bool,
    _intermediate: *const u32,
    _count: usize,
    environment: *mut c_void,
    logger: Option<Logger>,
    _update: *const c_void,
) -> *mut c_void {
    let (token, resources) = unsafe { (pointers::text(token), pointers::text(resources)) };
    let log = move |text: &str| {
        if let Some(logger) = logger {
            let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
            unsafe { logger(environment, 3, c"logStatusError".as_ptr(), text.as_ptr()) };
        }
    };
    pointers::instance(Unit::new(&resource_folder(&resources), &token, Box::new(log)))
}
/// Neither model exchange nor scheduled execution.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3InstantiateModelExchange() -> *mut c_void {
    std::ptr::null_mut()
}
#[unsafe(no_mangle)]
pub extern "C" fn fmi3InstantiateScheduledExecution() -> *mut c_void {
    std::ptr::null_mut()
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(c: *mut c_void) {
    unsafe { pointers::free_instance(c) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterInitializationMode(
    c: *mut c_void,
    _has_tolerance: bool,
    _tolerance: f64,
    start: f64,
    _has_end: bool,
    _end: f64,
) -> i32 {
    unsafe {
        pointers::with(c, |unit| {
            unit.set_up(start)?;
            unit.enter_initialisation()
        })
    }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3ExitInitializationMode(c: *mut c_void) -> i32 {
    unsafe { pointers::with(c, Unit::exit_initialisation) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Terminate(c: *mut c_void) -> i32 {
    unsafe { pointers::with(c, Unit::terminate) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Reset(c: *mut c_void) -> i32 {
    unsafe { pointers::with(c, Unit::reset) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    c: *mut c_void,
    reference: *const u32,
    count: usize,
    value: *mut f64,
    values: usize,
) -> i32 {
    unsafe { pointers::get(c, reference, count, value, values) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    c: *mut c_void,
    reference: *const u32,
    count: usize,
    value: *const f64,
    values: usize,
) -> i32 {
    unsafe { pointers::set(c, reference, count, value, values) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(c: *mut c_void, state: *mut *mut c_void) -> i32 {
    unsafe { pointers::keep(c, state) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFMUState(c: *mut c_void, state: *mut c_void) -> i32 {
    unsafe { pointers::restore(c, state) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(_c: *mut c_void, state: *mut *mut c_void) -> i32 {
    unsafe { pointers::free_state(state) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(c: *mut c_void, state: *mut c_void, size: *mut usize) -> i32 {
    unsafe { pointers::serialised_size(c, state, size) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(c: *mut c_void, state: *mut c_void, bytes: *mut u8, size: usize) -> i32 {
    unsafe { pointers::serialise(c, state, bytes, size) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    c: *mut c_void,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> i32 {
    unsafe { pointers::deserialise(c, bytes, size, state) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    c: *mut c_void,
    time: f64,
    length: f64,
    _is_final: bool,
    event_needed: *mut bool,
    terminate: *mut bool,
    early: *mut bool,
    last: *mut f64,
) -> i32 {
    unsafe {
        pointers::put(event_needed, false);
        pointers::put(terminate, false);
        pointers::put(early, false);
        pointers::with(c, |unit| {
            let result = unit.step(time, length);
            pointers::put(last, unit.time());
            result
        })
    }
}
refused! { "no variable of this type may be got or set":
fmi3GetFloat32 fmi3SetFloat32 fmi3GetInt8 fmi3SetInt8 fmi3GetUInt8 fmi3SetUInt8 fmi3GetInt16 fmi3SetInt16
fmi3GetUInt16 fmi3SetUInt16 fmi3GetInt32 fmi3SetInt32 fmi3GetUInt32 fmi3SetUInt32 fmi3GetInt64 fmi3SetInt64
fmi3GetUInt64 fmi3SetUInt64 fmi3GetBoolean fmi3SetBoolean fmi3GetString fmi3SetString fmi3GetBinary fmi3SetBinary }
refused! { "there are no clocks":
fmi3GetClock fmi3SetClock fmi3GetIntervalDecimal fmi3GetIntervalFraction fmi3GetShiftDecimal fmi3GetShiftFraction
fmi3SetIntervalDecimal fmi3SetIntervalFraction fmi3SetShiftDecimal fmi3SetShiftFraction fmi3ActivateModelPartition }
refused! { "the unit is for co-simulation without event mode":
fmi3EnterEventMode fmi3EnterStepMode fmi3EnterConfigurationMode fmi3ExitConfigurationMode fmi3EvaluateDiscreteStates
fmi3UpdateDiscreteStates fmi3EnterContinuousTimeMode fmi3CompletedIntegratorStep fmi3SetTime fmi3SetContinuousStates
fmi3GetContinuousStateDerivatives fmi3GetEventIndicators fmi3GetContinuousStates fmi3GetNominalsOfContinuousStates
fmi3GetNumberOfEventIndicators fmi3GetNumberOfContinuousStates }
refused! { "derivatives and dependencies are not given":
fmi3GetNumberOfVariableDependencies fmi3GetVariableDependencies fmi3GetDirectionalDerivative fmi3GetAdjointDerivative
fmi3GetOutputDerivatives }
