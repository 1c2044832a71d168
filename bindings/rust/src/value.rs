//! Values of SQLite.

use std::marker::PhantomData;
use std::os::raw::c_char;
use std::slice;

use crate::error::{Error, Result, Status};
use crate::ffi;

/// A value of SQLite. Texts out of a database need not be UTF-8, so they are bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// A text.
    Text(&'a [u8]),
    /// A blob.
    Blob(&'a [u8]),
}

impl<'a> Value<'a> {
    /// # Safety
    ///
    /// The data of `value` has to live for `'a`.
    pub(crate) unsafe fn from_ffi(value: &ffi::fr_value) -> Value<'a> {
        let bytes = || {
            if value.length == 0 {
                return &[][..];
            }
            slice::from_raw_parts(value.data.cast::<u8>(), value.length as usize)
        };
        match value.kind {
            1 => Value::Integer(value.integer),
            2 => Value::Real(value.real),
            3 => Value::Text(bytes()),
            4 => Value::Blob(bytes()),
            _ => Value::Null,
        }
    }

    fn to_ffi(self) -> ffi::fr_value {
        let mut value = ffi::NULL;
        let mut set = |kind: i32, bytes: &[u8]| {
            value.kind = kind;
            value.data = bytes.as_ptr().cast::<c_char>();
            value.length = bytes.len() as i64;
        };
        match self {
            Value::Null => {}
            Value::Text(bytes) => set(3, bytes),
            Value::Blob(bytes) => set(4, bytes),
            Value::Integer(integer) => {
                value.kind = 1;
                value.integer = integer;
            }
            Value::Real(real) => {
                value.kind = 2;
                value.real = real;
            }
        }
        value
    }

    /// The text, if it is one and is UTF-8.
    pub fn as_str(&self) -> Option<&'a str> {
        match *self {
            Value::Text(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }
}

/// A value that borrows nothing. Bits compare numbers, so that NaN equals itself in a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owned {
    Null,
    Integer(i64),
    Real(u64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

impl Owned {
    pub(crate) fn value(&self) -> Value<'_> {
        match self {
            Owned::Null => Value::Null,
            Owned::Integer(integer) => Value::Integer(*integer),
            Owned::Real(bits) => Value::Real(f64::from_bits(*bits)),
            Owned::Text(bytes) => Value::Text(bytes),
            Owned::Blob(bytes) => Value::Blob(bytes),
        }
    }
}

impl From<Value<'_>> for Owned {
    fn from(value: Value<'_>) -> Owned {
        match value {
            Value::Null => Owned::Null,
            Value::Integer(integer) => Owned::Integer(integer),
            Value::Real(real) => Owned::Real(real.to_bits()),
            Value::Text(bytes) => Owned::Text(bytes.to_owned()),
            Value::Blob(bytes) => Owned::Blob(bytes.to_owned()),
        }
    }
}

/// Values as the library takes them, which borrow what they are made from.
pub(crate) struct Arguments<'a> {
    values: Vec<ffi::fr_value>,
    borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(values: impl IntoIterator<Item = Value<'a>>) -> Arguments<'a> {
        Arguments { values: values.into_iter().map(Value::to_ffi).collect(), borrowed: PhantomData }
    }

    pub(crate) fn pointer(&self) -> *const ffi::fr_value {
        self.values.as_ptr()
    }

    pub(crate) fn count(&self) -> usize {
        self.values.len()
    }
}

macro_rules! from {
    ($($type:ty => |$name:ident| $value:expr;)*) => {$(
        impl<'a> From<$type> for Value<'a> {
            fn from($name: $type) -> Value<'a> {
                $value
            }
        }
    )*};
}
from! {
    i64 => |integer| Value::Integer(integer);
    i32 => |integer| Value::Integer(integer.into());
    bool => |flag| Value::Integer(flag.into());
    f64 => |real| Value::Real(real);
    &'a str => |text| Value::Text(text.as_bytes());
    &'a String => |text| Value::Text(text.as_bytes());
    &'a [u8] => |bytes| Value::Blob(bytes);
    &'a Vec<u8> => |bytes| Value::Blob(bytes);
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Value<'a> {
        value.map_or(Value::Null, Into::into)
    }
}

/// A slice of values: `values!["Ada", 7, None::<i64>]`.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$($crate::Value::from($value)),*] as &[$crate::Value<'_>]
    };
}

/// What a value can be read as.
pub trait FromValue: Sized {
    /// Reads a value. An error has the status [`Status::TYPE`].
    fn from_value(value: Value<'_>) -> Result<Self>;
}

fn wrong_type<T>(value: Value<'_>, wanted: &str) -> Result<T> {
    Err(Error::new(Status::TYPE, format!("{value:?} is not {wanted}")))
}

impl FromValue for i64 {
    fn from_value(value: Value<'_>) -> Result<i64> {
        match value {
            Value::Integer(integer) => Ok(integer),
            _ => wrong_type(value, "an integer"),
        }
    }
}

impl FromValue for bool {
    fn from_value(value: Value<'_>) -> Result<bool> {
        i64::from_value(value).map(|integer| integer != 0)
    }
}

impl FromValue for f64 {
    fn from_value(value: Value<'_>) -> Result<f64> {
        match value {
            Value::Real(real) => Ok(real),
            Value::Integer(integer) => Ok(integer as f64),
            _ => wrong_type(value, "a number"),
        }
    }
}

impl FromValue for String {
    fn from_value(value: Value<'_>) -> Result<String> {
        match value.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => wrong_type(value, "a text in UTF-8"),
        }
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value<'_>) -> Result<Vec<u8>> {
        match value {
            Value::Blob(bytes) => Ok(bytes.to_owned()),
            _ => wrong_type(value, "a blob"),
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value<'_>) -> Result<Option<T>> {
        match value {
            Value::Null => Ok(None),
            _ => T::from_value(value).map(Some),
        }
    }
}
