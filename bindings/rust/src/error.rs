//! Failures, and the one way to make a call.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::fmt;
use std::os::raw::c_char;
use std::panic::resume_unwind;
use std::thread::panicking;

use crate::ffi;

/// The code of a failure. Later versions of the library may have more of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Status(pub(crate) i32);

macro_rules! statuses {
    ($($name:ident = $code:literal, $meaning:literal;)*) => {
        impl Status {
            $(#[doc = $meaning] pub const $name: Status = Status($code);)*
        }
    };
}
statuses! {
    ERROR = 1, "SQLite failed in a way that has no code of its own here; see [`Error::sqlite_code`].";
    MISUSE = 2, "A call at the wrong time, or on a store of the process that forked this one.";
    CLOSED = 3, "The store was closed.";
    RANGE = 4, "An index, count or option is outside its range.";
    INVALID_UTF8 = 5, "A text is not UTF-8, or contains a NUL where none is allowed.";
    TYPE = 6, "A value has a type that does not fit.";
    NOT_FOUND = 7, "There is no such row or observer.";
    NOT_FETCHED = 8, "The list was read before its fetch.";
    SCHEMA = 9, "There is no such table, column, key path or collation.";
    SQL = 10, "The SQL text is wrong, or has the wrong number of parameters.";
    CONSTRAINT = 11, "The change violates a constraint of the schema.";
    BUSY = 12, "Another connection has locked the database.";
    READ_ONLY = 13, "The store or the database can't be written.";
    IO = 14, "The file can't be opened, read or written; the disk is full.";
    CORRUPT = 15, "The file is not a database, or is damaged.";
    NO_MEMORY = 16, "SQLite could not allocate memory, or there are too many handles.";
    CANCELLED = 17, "A callback cancelled the operation.";
    GONE = 18, "The row was changed or deleted, and its old values can't be read any more.";
}

impl fmt::Debug for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the name of a code is never freed.
        formatter.write_str(&unsafe { text_of(ffi::fr_status_name(self.0)) })
    }
}

/// A failure of the library.
#[derive(Clone, Debug)]
pub struct Error {
    status: Status,
    sqlite_code: i32,
    message: String,
    sql: Option<String>,
}

/// What every call that can fail returns.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Error {
        Error { status, sqlite_code: 0, message: message.into(), sql: None }
    }

    /// The failure of the thread's last call.
    fn last(status: i32) -> Error {
        // SAFETY: the texts are borrowed until the thread's next call, and copied here.
        unsafe {
            let sql = ffi::fr_error_sql();
            Error {
                status: Status(status),
                sqlite_code: ffi::fr_error_sqlite_code(),
                message: text_of(ffi::fr_error_message()),
                sql: (!sql.is_null()).then(|| text_of(sql)),
            }
        }
    }

    /// # Safety
    ///
    /// `error` has to be an error that the library has passed to a callback that is running.
    pub(crate) unsafe fn from_callback(error: *const ffi::fr_error) -> Error {
        let error = &*error;
        Error {
            status: Status(error.status),
            sqlite_code: error.sqlite_code,
            message: text_of(error.message),
            sql: (!error.sql.is_null()).then(|| text_of(error.sql)),
        }
    }

    /// The code of the failure.
    pub fn status(&self) -> Status {
        self.status
    }

    /// SQLite's extended result code; 0 if SQLite was not concerned.
    pub fn sqlite_code(&self) -> i32 {
        self.sqlite_code
    }

    /// What is at fault, in English.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The statement that failed.
    pub fn sql(&self) -> Option<&str> {
        self.sql.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

thread_local! {
    /// The panic of a callback of the call that is under way.
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = const { RefCell::new(None) };
}

/// Notes a panic of a callback, which must not unwind through the library. The first one counts.
pub(crate) fn note_panic(panic: Box<dyn Any + Send>) {
    PANIC.with(|noted| {
        noted.borrow_mut().get_or_insert(panic);
    });
}

/// Makes a call, and continues the panic of a callback that it has run.
fn with_panics<T>(function: impl FnOnce() -> T) -> T {
    let outer = PANIC.with(|noted| noted.take());
    let result = function();
    // A second panic while one unwinds would end the process.
    match PANIC.with(|noted| noted.replace(outer)) {
        Some(panic) if !panicking() => resume_unwind(panic),
        _ => result,
    }
}

/// Makes a call that returns a status.
pub(crate) fn check(function: impl FnOnce() -> i32) -> Result<()> {
    let mut failure = None;
    with_panics(|| {
        let status = function();
        // Before a callback of another call can replace it.
        failure = (status != 0).then(|| Error::last(status));
    });
    failure.map_or(Ok(()), Err)
}

/// Makes a call that frees something.
pub(crate) fn free(function: impl FnOnce()) {
    with_panics(function);
}

pub(crate) fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(Status::INVALID_UTF8, format!("{text:?} contains a NUL")))
}

/// # Safety
///
/// `text` has to end in a NUL.
pub(crate) unsafe fn text_of(text: *const c_char) -> String {
    CStr::from_ptr(text).to_string_lossy().into_owned()
}
