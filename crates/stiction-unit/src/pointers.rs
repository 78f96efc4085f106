//! What the importer's pointers point to.
//!
//! # Safety
//! All functions here rely on what the standard demands of importers: a pointer is null or points to as many values as the call says, and an
//! instance is one that this library has made and not freed.
use crate::unit::{ERROR, KeptState, OK, Unit, resource_folder};
use std::ffi::{CStr, CString, c_char, c_void};
use std::slice;

/// A text; empty for a null pointer.
pub unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// An array; empty for a null pointer.
pub unsafe fn array<'a, T>(pointer: *const T, count: usize) -> &'a [T] {
    if pointer.is_null() || count == 0 {
        return &[];
    }
    unsafe { slice::from_raw_parts(pointer, count) }
}

/// An array to be filled; empty for a null pointer.
pub unsafe fn array_mut<'a, T>(pointer: *mut T, count: usize) -> &'a mut [T] {
    if pointer.is_null() || count == 0 {
        return &mut [];
    }
    unsafe { slice::from_raw_parts_mut(pointer, count) }
}

/// Writes a value where a pointer is not null.
pub unsafe fn put<T>(pointer: *mut T, value: T) {
    if let Some(place) = unsafe { pointer.as_mut() } {
        *place = value;
    }
}

/// Calls a unit; without one it is an error.
pub unsafe fn with(instance: *mut c_void, call: impl FnOnce(&mut Unit) -> Result<(), String>) -> i32 {
    let Some(unit) = (unsafe { instance.cast::<Unit>().as_mut() }) else { return ERROR };
    let result = call(unit);
    unit.status(result)
}

/// Refuses a call.
pub unsafe fn refuse(instance: *mut c_void, reason: &str) -> i32 {
    unsafe { with(instance, |_| Err(reason.to_owned())) }
}

/// A new instance with this token, or none; `tell` gives the importer an error.
pub unsafe fn instance(token: *const c_char, resources: *const c_char, tell: impl Fn(&CStr) + 'static) -> *mut c_void {
    let (token, resources) = unsafe { (text(token), text(resources)) };
    let log = move |text: &str| tell(&CString::new(text.replace('\0', " ")).unwrap_or_default());
    let unit = Unit::new(&resource_folder(&resources), &token, Box::new(log));
    unit.map_or(std::ptr::null_mut(), |unit| Box::into_raw(Box::new(unit)).cast())
}

pub unsafe fn free_instance(instance: *mut c_void) {
    if !instance.is_null() {
        drop(unsafe { Box::from_raw(instance.cast::<Unit>()) });
    }
}

pub unsafe fn get(instance: *mut c_void, reference: *const u32, count: usize, value: *mut f64, values: usize) -> i32 {
    unsafe {
        with(instance, |unit| {
            let (reference, value) = (array(reference, count), array_mut(value, values));
            if reference.len() != count || value.len() != count {
                return Err("every variable is a single number".to_owned());
            }
            unit.get(reference, value)
        })
    }
}

pub unsafe fn set(instance: *mut c_void, reference: *const u32, count: usize, value: *const f64, values: usize) -> i32 {
    unsafe {
        with(instance, |unit| {
            let (reference, value) = (array(reference, count), array(value, values));
            if reference.len() != count || value.len() != count {
                return Err("every variable is a single number".to_owned());
            }
            unit.set(reference, value)
        })
    }
}

pub unsafe fn keep(instance: *mut c_void, state: *mut *mut c_void) -> i32 {
    unsafe {
        with(instance, |unit| {
            let place = state.as_mut().ok_or("there is no place for the state")?;
            let kept = unit.keep();
            match place.cast::<KeptState>().as_mut() {
                Some(old) => *old = kept,
                None => *place = Box::into_raw(Box::new(kept)).cast(),
            }
            Ok(())
        })
    }
}

pub unsafe fn restore(instance: *mut c_void, state: *mut c_void) -> i32 {
    unsafe {
        with(instance, |unit| unit.restore(state.cast::<KeptState>().as_ref().ok_or("there is no state to be set")?))
    }
}

pub unsafe fn free_state(state: *mut *mut c_void) -> i32 {
    if let Some(place) = unsafe { state.as_mut() }
        && !place.is_null()
    {
        drop(unsafe { Box::from_raw(place.cast::<KeptState>()) });
        *place = std::ptr::null_mut();
    }
    OK
}

pub unsafe fn serialised_size(instance: *mut c_void, state: *mut c_void, size: *mut usize) -> i32 {
    unsafe {
        with(instance, |unit| {
            let kept = state.cast::<KeptState>().as_ref().ok_or("there is no state")?;
            put(size, unit.serialise(kept).len());
            Ok(())
        })
    }
}

pub unsafe fn serialise(instance: *mut c_void, state: *mut c_void, bytes: *mut u8, size: usize) -> i32 {
    unsafe {
        with(instance, |unit| {
            let kept = state.cast::<KeptState>().as_ref().ok_or("there is no state")?;
            let found = unit.serialise(kept);
            let place =
                array_mut(bytes, size).get_mut(..found.len()).ok_or("the state does not fit into so few bytes")?;
            place.copy_from_slice(&found);
            Ok(())
        })
    }
}

pub unsafe fn deserialise(instance: *mut c_void, bytes: *const u8, size: usize, state: *mut *mut c_void) -> i32 {
    unsafe {
        with(instance, |unit| {
            let kept = unit.deserialise(array(bytes, size))?;
            let place = state.as_mut().ok_or("there is no place for the state")?;
            free_state(place);
            *place = Box::into_raw(Box::new(kept)).cast();
            Ok(())
        })
    }
}

/// The calls that both versions of the interface have with the same arguments, under these names.
macro_rules! shared_calls {
    (
        free_instance: $free_instance:ident, exit_initialisation: $exit_initialisation:ident,
        terminate: $terminate:ident, reset: $reset:ident,
        keep: $keep:ident, restore: $restore:ident, free_state: $free_state:ident,
        serialised_size: $serialised_size:ident, serialise: $serialise:ident, deserialise: $deserialise:ident
    ) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $free_instance(c: *mut c_void) {
            unsafe { pointers::free_instance(c) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $exit_initialisation(c: *mut c_void) -> i32 {
            unsafe { pointers::with(c, Unit::exit_initialisation) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $terminate(c: *mut c_void) -> i32 {
            unsafe { pointers::with(c, Unit::terminate) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $reset(c: *mut c_void) -> i32 {
            unsafe { pointers::with(c, Unit::reset) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $keep(c: *mut c_void, state: *mut *mut c_void) -> i32 {
            unsafe { pointers::keep(c, state) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $restore(c: *mut c_void, state: *mut c_void) -> i32 {
            unsafe { pointers::restore(c, state) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $free_state(_c: *mut c_void, state: *mut *mut c_void) -> i32 {
            unsafe { pointers::free_state(state) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $serialised_size(c: *mut c_void, state: *mut c_void, size: *mut usize) -> i32 {
            unsafe { pointers::serialised_size(c, state, size) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $serialise(c: *mut c_void, state: *mut c_void, bytes: *mut u8, size: usize) -> i32 {
            unsafe { pointers::serialise(c, state, bytes, size) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $deserialise(
            c: *mut c_void,
            bytes: *const u8,
            size: usize,
            state: *mut *mut c_void,
        ) -> i32 {
            unsafe { pointers::deserialise(c, bytes, size, state) }
        }
    };
}
pub(crate) use shared_calls;

/// Functions of the interface that a unit of a scenario does not have. They read none of their arguments but the instance.
macro_rules! refused {
    ($reason:literal: $($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(c: *mut std::ffi::c_void) -> i32 {
            let reason = $reason;
            unsafe { $crate::pointers::refuse(c, reason) }
        }
    )*};
}
pub(crate) use refused;
