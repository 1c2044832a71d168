//! Identities of rows.

use std::ffi::CStr;
use std::os::raw::c_char;
use std::slice;

use crate::ffi;
use crate::value::{Owned, Value};

/// The values that identify a row: the primary key, or the rowid. It does not change with the list,
/// and can be the key of a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity(Vec<Owned>);

impl Identity {
    /// The values.
    pub fn values(&self) -> Vec<Value<'_>> {
        self.0.iter().map(Owned::value).collect()
    }
}

impl From<&[Value<'_>]> for Identity {
    fn from(values: &[Value<'_>]) -> Identity {
        Identity(values.iter().map(|&value| value.into()).collect())
    }
}

/// The identity that `count` values are.
///
/// # Safety
///
/// `first` has to be what the library returned, and no call may have been made since.
pub(crate) unsafe fn of_values(first: *const ffi::fr_value, count: usize) -> Identity {
    Identity(slice::from_raw_parts(first, count).iter().map(|value| Value::from_ffi(value).into()).collect())
}

/// The identities of a block of rows.
///
/// # Safety
///
/// `rows` has to be what the library returned, and no call may have been made since.
pub(crate) unsafe fn of_block(rows: &ffi::fr_rows) -> Vec<Identity> {
    let empty = |_| Identity(Vec::with_capacity(rows.identity_count));
    let mut found: Vec<Identity> = (0..rows.count).map(empty).collect();
    if rows.count > 0 {
        for column in slice::from_raw_parts(rows.identities, rows.identity_count) {
            for (identity, value) in found.iter_mut().zip(values_of(column, rows.count)) {
                identity.0.push(value);
            }
        }
    }
    found
}

/// # Safety
///
/// As for [`of_block`].
unsafe fn values_of(column: &ffi::fr_column, count: usize) -> Vec<Owned> {
    let mut values: Vec<Owned> = match column.kind {
        1 => array::<i64>(column, count).iter().map(|&integer| Owned::Integer(integer)).collect(),
        2 => array::<f64>(column, count).iter().map(|&real| Owned::Real(real.to_bits())).collect(),
        3 => texts(column, count),
        _ => {
            array::<ffi::fr_value>(column, count).iter().map(|value| Value::from_ffi(value).into()).collect()
        }
    };
    if column.null_count > 0 {
        for &row in slice::from_raw_parts(column.nulls, column.null_count) {
            values[row as usize] = Owned::Null;
        }
    }
    values
}

unsafe fn array<T>(column: &ffi::fr_column, count: usize) -> &[T] {
    slice::from_raw_parts(column.data.cast::<T>(), count)
}

/// Texts that end in a NUL, one after another.
unsafe fn texts(column: &ffi::fr_column, count: usize) -> Vec<Owned> {
    let mut next = column.data.cast::<c_char>();
    let text = |_| {
        let bytes = CStr::from_ptr(next).to_bytes();
        next = next.add(bytes.len() + 1);
        Owned::Text(bytes.to_owned())
    };
    (0..count).map(text).collect()
}
