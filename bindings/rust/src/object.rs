//! Rows.

use std::ffi::CStr;
use std::ptr::null_mut;

use crate::error::{c_string, check, free, Result};
use crate::ffi;
use crate::store::Token;
use crate::value::{FromValue, Value};

/// A row as it was at one moment. It never changes, and outlives its store.
pub struct Object {
    pub(crate) raw: *mut ffi::fr_object,
    token: Token,
}

impl Object {
    /// Makes the object of a call that returns one.
    pub(crate) fn from_call(
        token: &Token,
        call: impl FnOnce(*mut *mut ffi::fr_object) -> i32,
    ) -> Result<Object> {
        let mut raw = null_mut();
        check(|| call(&mut raw))?;
        Ok(Object { raw, token: token.clone() })
    }

    /// How many columns it shows.
    pub fn column_count(&self) -> Result<usize> {
        let mut count = 0;
        check(|| unsafe { ffi::fr_object_column_count(&mut count, self.raw) })?;
        Ok(count as usize)
    }

    /// The name of a column.
    pub fn column_name(&self, index: usize) -> Result<String> {
        let mut name = std::ptr::null();
        check(|| unsafe { ffi::fr_object_column_name(&mut name, self.raw, index as i64) })?;
        // SAFETY: the name lives as long as the object.
        Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    /// The value of a column, by its number.
    pub fn value(&self, index: usize) -> Result<Value<'_>> {
        let mut value = ffi::NULL;
        check(|| unsafe { ffi::fr_object_value(&mut value, self.raw, index as i64) })?;
        // SAFETY: the data live as long as the object.
        Ok(unsafe { Value::from_ffi(&value) })
    }

    /// The value of a column or key path, by its name.
    pub fn get<T: FromValue>(&self, name: &str) -> Result<T> {
        let name = c_string(name)?;
        let mut index = 0;
        check(|| unsafe { ffi::fr_object_column_index(&mut index, self.raw, name.as_ptr()) })?;
        T::from_value(self.value(index as usize)?)
    }

    /// The values that identify it: the primary key, or the rowid.
    pub fn identity(&self) -> Result<Vec<Value<'_>>> {
        let mut count = 0;
        check(|| unsafe { ffi::fr_object_identity_count(&mut count, self.raw) })?;
        (0..count)
            .map(|index| {
                let mut value = ffi::NULL;
                check(|| unsafe { ffi::fr_object_identity(&mut value, self.raw, index) })?;
                // SAFETY: the data live as long as the object.
                Ok(unsafe { Value::from_ffi(&value) })
            })
            .collect()
    }
}

impl Clone for Object {
    fn clone(&self) -> Object {
        // SAFETY: this object holds a reference.
        Object { raw: unsafe { ffi::fr_object_ref(self.raw) }, token: self.token.clone() }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        free(|| unsafe { ffi::fr_object_unref(self.raw) });
    }
}
