//! What the importer's pointers point to.
//!
//! # Safety
//! All functions here rely on what the standard demands of importers: a pointer is null or points to as many values as the call says, and an
//! instance is one that this library has made and not freed.
use crate::unit::{ERROR, KeptState, OK, Unit};
use std::ffi::{CStr, c_char, c_void};
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

/// A new instance, or none.
pub fn instance(unit: Option<Unit>) -> *mut c_void {
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
