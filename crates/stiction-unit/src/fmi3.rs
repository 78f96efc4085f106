//! The interface of FMI 3.0 for co-simulation.
use crate::pointers::{self, refused, shared_calls};
use crate::unit::Unit;
use std::ffi::{CStr, c_char, c_int, c_void};

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
    let tell = move |text: &CStr| {
        if let Some(logger) = logger {
            unsafe { logger(environment, 3, c"logStatusError".as_ptr(), text.as_ptr()) };
        }
    };
    unsafe { pointers::instance(token, resources, tell) }
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
shared_calls! {
    free_instance: fmi3FreeInstance,
    exit_initialisation: fmi3ExitInitializationMode,
    terminate: fmi3Terminate,
    reset: fmi3Reset,
    keep: fmi3GetFMUState,
    restore: fmi3SetFMUState,
    free_state: fmi3FreeFMUState,
    serialised_size: fmi3SerializedFMUStateSize,
    serialise: fmi3SerializeFMUState,
    deserialise: fmi3DeserializeFMUState
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
