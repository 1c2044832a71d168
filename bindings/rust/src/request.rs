//! Requests: which rows or groups of rows, in which order and sections.

use std::ffi::CString;
use std::os::raw::c_char;
use std::ptr::{null, null_mut};

use crate::error::{c_string, check, Error, Result, Status};
use crate::ffi;
use crate::value::{Arguments, Owned, Value};

/// The direction of a sort descriptor or of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From the least value to the greatest one; NULLs first.
    Ascending,
    /// From the greatest value to the least one; NULLs last.
    Descending,
}

/// What a list of groups shows of the rows of each group, and any other list has of its rows.
/// Expressions are columns, key paths, or SQL over these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total<'a> {
    /// The number of rows.
    Rows,
    /// The number of rows in which an expression is true.
    Count(&'a str),
    /// The sum of the values that are not NULL.
    Sum(&'a str),
    /// The exact sum divided by the number of values that are not NULL.
    Average(&'a str),
    /// The least value that is not NULL.
    Min(&'a str),
    /// The greatest value that is not NULL.
    Max(&'a str),
}

impl Total<'_> {
    /// The function, as C numbers it, and the expression.
    fn parts(self) -> (u32, Option<String>) {
        match self {
            Total::Rows => (0, None),
            Total::Count(expression) => (0, Some(expression.to_owned())),
            Total::Sum(expression) => (1, Some(expression.to_owned())),
            Total::Average(expression) => (2, Some(expression.to_owned())),
            Total::Min(expression) => (3, Some(expression.to_owned())),
            Total::Max(expression) => (4, Some(expression.to_owned())),
        }
    }
}

#[derive(Clone, Debug)]
struct Key {
    path: String,
    order: Order,
}

/// An expression with the values of its parameters.
#[derive(Clone, Debug)]
struct Condition {
    sql: String,
    values: Vec<Owned>,
}

impl Condition {
    fn new(sql: &str, values: &[Value<'_>]) -> Condition {
        Condition { sql: sql.to_owned(), values: values.iter().map(|&value| value.into()).collect() }
    }

    /// What a call takes; the arguments borrow from the condition.
    fn raw(&self) -> Result<(CString, Arguments<'_>)> {
        let arguments = Arguments::new(self.values.iter().map(Owned::value));
        Ok((c_string(&self.sql)?, arguments))
    }
}

/// A request for the rows of a table or view. It is checked when a list is made of it.
#[derive(Clone, Debug)]
pub struct Request {
    entity: String,
    predicate: Option<Condition>,
    group_by: Vec<String>,
    totals: Vec<(String, u32, Option<String>)>,
    having: Option<Condition>,
    sorts: Vec<Key>,
    section: Option<Key>,
    columns: Vec<String>,
    identity: Vec<String>,
    limit: Option<(i64, i64)>,
    rank_tolerance: Option<f64>,
}

impl Request {
    /// All rows of a table or view, by their identity.
    pub fn new(entity: &str) -> Request {
        Request {
            entity: entity.to_owned(),
            predicate: None,
            group_by: Vec::new(),
            totals: Vec::new(),
            having: None,
            sorts: Vec::new(),
            section: None,
            columns: Vec::new(),
            identity: Vec::new(),
            limit: None,
            rank_tolerance: None,
        }
    }

    /// Only the rows for which an expression of SQL is true, with values for ?1, ?2, ...
    pub fn predicate(mut self, sql: &str, values: &[Value<'_>]) -> Request {
        self.predicate = Some(Condition::new(sql, values));
        self
    }

    /// Shows a row for each group of rows that are equal in all keys: columns, key paths, or SQL over
    /// these. The list's columns are the keys and the totals; sorts, section and columns refer to
    /// these.
    pub fn group_by(mut self, keys: &[&str]) -> Request {
        self.group_by = keys.iter().map(|&key| key.to_owned()).collect();
        self
    }

    /// Adds a total of each group, as a column; without groups, of the list and of its sections.
    pub fn total(mut self, name: &str, total: Total<'_>) -> Request {
        let (function, expression) = total.parts();
        self.totals.push((name.to_owned(), function, expression));
        self
    }

    /// Only the groups for which an expression over keys and totals is true, with values for ?1,
    /// ?2, ...
    pub fn having(mut self, sql: &str, values: &[Value<'_>]) -> Request {
        self.having = Some(Condition::new(sql, values));
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

    /// Sets how many documents may be written before a list of an FTS5 table with `rank` or `bm25()`
    /// is ranked again, as a share of all documents, and of the documents that match; 0.01 unless set,
    /// 0 to rank it again with each document, `f64::INFINITY` to never do it.
    pub fn rank_tolerance(mut self, share: f64) -> Request {
        self.rank_tolerance = Some(share);
        self
    }

    /// Passes the request to a call.
    pub(crate) fn with_raw(&self, call: impl FnOnce(*mut ffi::fr_request) -> Result<()>) -> Result<()> {
        let handle = Handle::new(&self.entity)?;
        self.set_all(handle.0)?;
        call(handle.0)
    }

    fn set_all(&self, raw: *mut ffi::fr_request) -> Result<()> {
        if let Some(predicate) = &self.predicate {
            let (sql, arguments) = predicate.raw()?;
            check(|| unsafe {
                ffi::fr_request_set_predicate(raw, sql.as_ptr(), arguments.pointer(), arguments.count())
            })?;
        }
        if !self.group_by.is_empty() {
            with_names(&self.group_by, |names, count| unsafe {
                ffi::fr_request_set_group_by(raw, names, count)
            })?;
        }
        for (name, function, expression) in &self.totals {
            let name = c_string(name)?;
            let expression = expression.as_ref().map(|text| c_string(text)).transpose()?;
            let expression = expression.as_ref().map_or(null(), |text| text.as_ptr());
            check(|| unsafe { ffi::fr_request_add_total(raw, name.as_ptr(), *function, expression) })?;
        }
        if let Some(having) = &self.having {
            let (sql, arguments) = having.raw()?;
            check(|| unsafe {
                ffi::fr_request_set_having(raw, sql.as_ptr(), arguments.pointer(), arguments.count())
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
        if let Some(share) = self.rank_tolerance {
            check(|| unsafe { ffi::fr_request_set_rank_tolerance(raw, share) })?;
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
