//! Requests: which rows, in which order and sections.

use std::ffi::CString;
use std::os::raw::c_char;
use std::ptr::{null, null_mut};

use crate::error::{c_string, check, Error, Result, Status};
use crate::ffi;
use crate::value::{Arguments, Value};

/// The direction of a sort descriptor or of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From the least value to the greatest one; NULLs first.
    Ascending,
    /// From the greatest value to the least one; NULLs last.
    Descending,
}

#[derive(Clone, Debug)]
struct Key {
    path: String,
    order: Order,
}

#[derive(Clone, Debug)]
enum Owned {
    Null,
    Integer(i64),
    Real(f64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

/// A request for the rows of a table or view. It is checked when a list is made of it.
#[derive(Clone, Debug)]
pub struct Request {
    entity: String,
    predicate: Option<(String, Vec<Owned>)>,
    sorts: Vec<Key>,
    section: Option<Key>,
    columns: Vec<String>,
    identity: Vec<String>,
    limit: Option<(i64, i64)>,
}

impl Request {
    /// All rows of a table or view, by their identity.
    pub fn new(entity: &str) -> Request {
        Request {
            entity: entity.to_owned(),
            predicate: None,
            sorts: Vec::new(),
            section: None,
            columns: Vec::new(),
            identity: Vec::new(),
            limit: None,
        }
    }

    /// Only the rows for which an expression of SQL is true, with values for ?1, ?2, ...
    pub fn predicate(mut self, sql: &str, values: &[Value<'_>]) -> Request {
        let owned = values.iter().map(|value| match *value {
            Value::Null => Owned::Null,
            Value::Integer(integer) => Owned::Integer(integer),
            Value::Real(real) => Owned::Real(real),
            Value::Text(bytes) => Owned::Text(bytes.to_owned()),
            Value::Blob(bytes) => Owned::Blob(bytes.to_owned()),
        });
        self.predicate = Some((sql.to_owned(), owned.collect()));
        self
    }

    /// Sorts by a column or a key path, after the keys that were added before.
    pub fn sort(mut self, path: &str, order: Order) -> Request {
        self.sorts.push(Key { path: path.to_owned(), order });
        self
    }

    /// Puts rows with equal values of a key path into sections.
    pub fn section(mut self, path: &str, order: Order) -> Request {
        self.section = Some(Key { path: path.to_owned(), order });
        self
    }

    /// Shows these columns and key paths only.
    pub fn columns(mut self, paths: &[&str]) -> Request {
        self.columns = paths.iter().map(|&path| path.to_owned()).collect();
        self
    }

    /// The columns that identify a row of a view.
    pub fn identity(mut self, columns: &[&str]) -> Request {
        self.identity = columns.iter().map(|&column| column.to_owned()).collect();
        self
    }

    /// Shows at most so many rows, after skipping some.
    pub fn limit(mut self, limit: i64, offset: i64) -> Request {
        self.limit = Some((limit, offset));
        self
    }

    /// Passes the request to a call.
    pub(crate) fn with_raw(&self, call: impl FnOnce(*mut ffi::fr_request) -> Result<()>) -> Result<()> {
        let handle = Handle::new(&self.entity)?;
        self.set_all(handle.0)?;
        call(handle.0)
    }

    fn set_all(&self, raw: *mut ffi::fr_request) -> Result<()> {
        if let Some((sql, values)) = &self.predicate {
            let sql = c_string(sql)?;
            let arguments = Arguments::new(values.iter().map(|value| match value {
                Owned::Null => Value::Null,
                Owned::Integer(integer) => Value::Integer(*integer),
                Owned::Real(real) => Value::Real(*real),
                Owned::Text(bytes) => Value::Text(bytes),
                Owned::Blob(bytes) => Value::Blob(bytes),
            }));
            check(|| unsafe {
                ffi::fr_request_set_predicate(raw, sql.as_ptr(), arguments.pointer(), arguments.count())
            })?;
        }
        for Key { path, order } in &self.sorts {
            let path = c_string(path)?;
            check(|| unsafe { ffi::fr_request_add_sort(raw, path.as_ptr(), *order as u32, null()) })?;
        }
        if let Some(Key { path, order }) = &self.section {
            let path = c_string(path)?;
            check(|| unsafe { ffi::fr_request_set_section(raw, path.as_ptr(), *order as u32, null()) })?;
        }
        with_names(&self.columns, |names, count| unsafe { ffi::fr_request_set_columns(raw, names, count) })?;
        if !self.identity.is_empty() {
            with_names(&self.identity, |names, count| unsafe {
                ffi::fr_request_set_identity(raw, names, count)
            })?;
        }
        match self.limit {
            Some((limit, _)) if limit < 0 => {
                Err(Error::new(Status::RANGE, format!("a limit of {limit} rows: leave it out for no limit")))
            }
            Some((limit, offset)) => check(|| unsafe { ffi::fr_request_set_limit(raw, limit, offset) }),
            None => Ok(()),
        }
    }
}

fn with_names(names: &[String], call: impl FnOnce(*const *const c_char, usize) -> i32) -> Result<()> {
    let names: Vec<CString> = names.iter().map(|name| c_string(name)).collect::<Result<_>>()?;
    let pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
    check(|| call(pointers.as_ptr(), pointers.len()))
}

/// A request of the library, which exists during one call.
struct Handle(*mut ffi::fr_request);

impl Handle {
    fn new(entity: &str) -> Result<Handle> {
        let entity = c_string(entity)?;
        let mut raw = null_mut();
        check(|| unsafe { ffi::fr_request_new(&mut raw, entity.as_ptr()) })?;
        Ok(Handle(raw))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: nothing else has the handle.
        unsafe { ffi::fr_request_free(self.0) };
    }
}
