//! The interface of FMI 2.0 for co-simulation.
use crate::pointers::{self, refused, shared_calls};
use crate::unit::{OK, Unit};
use std::ffi::{CStr, CString, c_char, c_int, c_void};

type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);

/// What the importer offers.
#[repr(C)]
pub struct Callbacks {
    logger: Option<Logger>,
    allocate: Option<unsafe extern "C" fn(usize, usize) -> *mut c_void>,
    release: Option<unsafe extern "C" fn(*mut c_void)>,
    finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    environment: *mut c_void,
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetDebugLogging(
    c: *mut c_void,
    _on: c_int,
    _count: usize,
    _categories: *const c_void,
) -> i32 {
    // errors are all that there is to be told
    unsafe { pointers::with(c, |_| Ok(())) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    token: *const c_char,
    resources: *const c_char,
    functions: *const Callbacks,
    _visible: c_int,
    _on: c_int,
) -> *mut c_void {
    let name = CString::new(unsafe { pointers::text(name) }).unwrap_or_default();
    let callbacks = unsafe { functions.as_ref() }.map(|functions| (functions.logger, functions.environment));
    let tell = move |text: &CStr| {
        if let Some((Some(logger), environment)) = callbacks {
            unsafe {
                logger(environment, name.as_ptr(), 3, c"logStatusError".as_ptr(), c"%s".as_ptr(), text.as_ptr());
            }
        }
    };
    if kind != 1 {
        tell(c"a scenario is a unit for co-simulation only");
        return std::ptr::null_mut();
    }
    unsafe { pointers::instance(token, resources, tell) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
    c: *mut c_void,
    _has_tolerance: c_int,
    _tolerance: f64,
    start: f64,
    _has_end: c_int,
    _end: f64,
) -> i32 {
    unsafe { pointers::with(c, |unit| unit.set_up(start)) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterInitializationMode(c: *mut c_void) -> i32 {
    unsafe { pointers::with(c, Unit::enter_initialisation) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(c: *mut c_void, reference: *const u32, count: usize, value: *mut f64) -> i32 {
    unsafe { pointers::get(c, reference, count, value, count) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(c: *mut c_void, reference: *const u32, count: usize, value: *const f64) -> i32 {
    unsafe { pointers::set(c, reference, count, value, count) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DoStep(c: *mut c_void, time: f64, length: f64, _is_final: c_int) -> i32 {
    unsafe { pointers::with(c, |unit| unit.step(time, length)) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(c: *mut c_void, kind: c_int, value: *mut f64) -> i32 {
    const LAST_SUCCESSFUL_TIME: c_int = 2;
    unsafe {
        pointers::with(c, |unit| {
            if kind != LAST_SUCCESSFUL_TIME {
                return Err("steps are not asynchronous".to_owned());
            }
            pointers::put(value, unit.time());
            Ok(())
        })
    }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(_c: *mut c_void, _kind: c_int, value: *mut c_int) -> i32 {
    unsafe { pointers::put(value, 0) };
    OK
}
shared_calls! {
    free_instance: fmi2FreeInstance,
    exit_initialisation: fmi2ExitInitializationMode,
    terminate: fmi2Terminate,
    reset: fmi2Reset,
    keep: fmi2GetFMUstate,
    restore: fmi2SetFMUstate,
    free_state: fmi2FreeFMUstate,
    serialised_size: fmi2SerializedFMUstateSize,
    serialise: fmi2SerializeFMUstate,
    deserialise: fmi2DeSerializeFMUstate
}
refused! { "steps are not asynchronous":
fmi2CancelStep fmi2GetStatus fmi2GetIntegerStatus fmi2GetStringStatus }
refused! { "no variable of this type may be got or set":
fmi2GetInteger fmi2SetInteger fmi2GetBoolean fmi2SetBoolean fmi2GetString fmi2SetString }
refused! { "derivatives are not given and not taken":
fmi2GetDirectionalDerivative fmi2SetRealInputDerivatives fmi2GetRealOutputDerivatives }
