//! Stores.

use std::ffi::CString;
use std::mem::size_of;
use std::os::fd::BorrowedFd;
use std::os::raw::c_char;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut};
use std::rc::Rc;
use std::time::Duration;

use crate::error::{c_string, check, text_of, Result};
use crate::ffi;
use crate::list::List;
use crate::request::Request;
use crate::value::{Arguments, Value};

/// Counts what was made from a store, and keeps it on the store's thread.
pub(crate) type Token = Rc<()>;

/// How a store is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    flags: u32,
    busy_timeout_ms: i32,
    journal_mode: Option<String>,
}

impl Options {
    /// The defaults.
    pub fn new() -> Options {
        Options::default()
    }

    fn with_flag(mut self, flag: u32) -> Options {
        self.flags |= flag;
        self
    }

    /// Opens for reading only. The file has to exist.
    pub fn read_only(self) -> Options {
        self.with_flag(1)
    }

    /// Does not create the file if it is missing.
    pub fn no_create(self) -> Options {
        self.with_flag(2)
    }

    /// Delivers own commits at [`Store::dispatch`], rather than before the commit returns.
    pub fn queued(self) -> Options {
        self.with_flag(8)
    }

    /// Nobody changes the file as long as it is open.
    pub fn immutable(self) -> Options {
        self.with_flag(16)
    }

    /// How long to wait for a lock; five seconds unless set.
    pub fn busy_timeout(mut self, timeout: Duration) -> Options {
        self.busy_timeout_ms = match i32::try_from(timeout.as_millis()) {
            Ok(0) => -1,
            milliseconds => milliseconds.unwrap_or(i32::MAX),
        };
        self
    }

    /// "wal", "delete", ...; "unchanged" for the mode that the file has. WAL unless set.
    pub fn journal_mode(mut self, mode: &str) -> Options {
        self.journal_mode = Some(mode.to_owned());
        self
    }

    /// Opens the database at a path, or ":memory:".
    pub fn open(&self, path: &str) -> Result<Store> {
        let path = c_string(path)?;
        let mode: Option<CString> = self.journal_mode.as_deref().map(c_string).transpose()?;
        let options = ffi::fr_store_options {
            struct_size: size_of::<ffi::fr_store_options>(),
            flags: self.flags,
            busy_timeout_ms: self.busy_timeout_ms,
            journal_mode: mode.as_ref().map_or(null(), |mode| mode.as_ptr()),
            cache_directory: null(),
            snapshot_limit: 0,
            poll_interval_ms: 0,
        };
        let mut raw = null_mut();
        check(|| unsafe { ffi::fr_store_open(&mut raw, path.as_ptr(), &options) })?;
        Ok(Store { raw, token: Token::new(()) })
    }
}

/// A connection to a database that delivers changes to its lists. It stays on its thread, with
/// everything that was made from it; see [`Store::park`].
///
/// ```compile_fail,E0277
/// let store = fetchedresults::Store::open(":memory:").unwrap();
/// std::thread::spawn(move || store.dispatch());
/// ```
pub struct Store {
    pub(crate) raw: *mut ffi::fr_store,
    pub(crate) token: Token,
}

impl Store {
    /// Opens the database at a path, or ":memory:", with the default [`Options`].
    pub fn open(path: &str) -> Result<Store> {
        Options::new().open(path)
    }

    /// Closes the store, and reports what dropping it would not. Its lists then have no rows to
    /// read ([`Status::CLOSED`](crate::Status::CLOSED)).
    pub fn close(mut self) -> Result<()> {
        let raw = std::mem::replace(&mut self.raw, null_mut());
        check(|| unsafe { ffi::fr_store_close(raw) })
    }

    /// Executes one statement.
    pub fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<()> {
        let sql = c_string(sql)?;
        let arguments = Arguments::new(values.iter().copied());
        check(|| unsafe {
            ffi::fr_store_execute(self.raw, sql.as_ptr(), arguments.pointer(), arguments.count())
        })
    }

    /// Executes any number of statements.
    pub fn execute_script(&self, sql: &str) -> Result<()> {
        let sql = c_string(sql)?;
        check(|| unsafe { ffi::fr_store_execute_script(self.raw, sql.as_ptr()) })
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    pub fn changes(&self) -> Result<i64> {
        let mut count = 0;
        check(|| unsafe { ffi::fr_store_changes(&mut count, self.raw) })?;
        Ok(count)
    }

    /// The rowid of the last INSERT.
    pub fn last_insert_rowid(&self) -> Result<i64> {
        let mut rowid = 0;
        check(|| unsafe { ffi::fr_store_last_insert_rowid(&mut rowid, self.raw) })?;
        Ok(rowid)
    }

    /// Commits what a function writes, or rolls it back if the function fails or panics. Inside
    /// another transaction it is a savepoint.
    pub fn transaction<T>(&self, function: impl FnOnce() -> Result<T>) -> Result<T> {
        const IMMEDIATE: i32 = 1;
        check(|| unsafe { ffi::fr_store_begin(self.raw, IMMEDIATE) })?;
        self.commit_after(function)
    }

    /// A transaction that [`Store::undo`] can reverse, with the name of what the user did, such as
    /// "Delete 3 notes". Inside another step it is a part of that one.
    pub fn step<T>(&self, name: &str, function: impl FnOnce() -> Result<T>) -> Result<T> {
        self.begin_step(name, false)?;
        self.commit_after(function)
    }

    /// The same for a step that joins the last one if that has the same name and nothing was undone
    /// since: one undo reverses both, for example each word that the user types.
    pub fn step_joining_last<T>(&self, name: &str, function: impl FnOnce() -> Result<T>) -> Result<T> {
        self.begin_step(name, true)?;
        self.commit_after(function)
    }

    fn begin_step(&self, name: &str, joins_last: bool) -> Result<()> {
        let name = c_string(name)?;
        check(|| unsafe { ffi::fr_store_begin_step(self.raw, name.as_ptr(), joins_last) })
    }

    /// Undoes the last step, as any write that is delivered. If this fails, nothing has changed:
    /// with [`Status::GONE`](crate::Status::GONE) if a row is not as the step left it, with
    /// [`Status::NOT_FOUND`](crate::Status::NOT_FOUND) if there is no step.
    pub fn undo(&self) -> Result<()> {
        check(|| unsafe { ffi::fr_store_undo(self.raw) })
    }

    /// Does the step again that was undone last.
    pub fn redo(&self) -> Result<()> {
        check(|| unsafe { ffi::fr_store_redo(self.raw) })
    }

    /// The name of the step that [`Store::undo`] would undo.
    pub fn undo_name(&self) -> Result<Option<String>> {
        self.name_of(|out| unsafe { ffi::fr_store_undo_name(out, self.raw) })
    }

    /// The name of the step that [`Store::redo`] would do again.
    pub fn redo_name(&self) -> Result<Option<String>> {
        self.name_of(|out| unsafe { ffi::fr_store_redo_name(out, self.raw) })
    }

    fn name_of(&self, call: impl FnOnce(*mut *const c_char) -> i32) -> Result<Option<String>> {
        let mut name = null();
        check(|| call(&mut name))?;
        // SAFETY: the name is borrowed until the next call, and copied here.
        Ok((!name.is_null()).then(|| unsafe { text_of(name) }))
    }

    /// Discards the last steps, and everything that could be done again; `usize::MAX` for all steps.
    pub fn discard_steps(&self, count: usize) -> Result<()> {
        check(|| unsafe { ffi::fr_store_discard_steps(self.raw, count) })
    }

    /// How many steps are remembered, 100 unless this is set, and the bytes of memory that their
    /// rows may take, 64 MiB unless this is set.
    pub fn set_undo_limit(&self, steps: usize, bytes: usize) -> Result<()> {
        check(|| unsafe { ffi::fr_store_set_undo_limit(self.raw, steps, bytes) })
    }

    /// Commits what a function writes in the transaction that has begun, or rolls it back.
    fn commit_after<T>(&self, function: impl FnOnce() -> Result<T>) -> Result<T> {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let result = function()?;
            check(|| unsafe { ffi::fr_store_commit(self.raw) })?;
            Ok(result)
        }));
        if !matches!(outcome, Ok(Ok(_))) {
            // The first failure is what matters. SQLite may have rolled back already, and then this
            // one fails.
            let _ = check(|| unsafe { ffi::fr_store_rollback(self.raw) });
        }
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Makes a list of a request, and fetches it.
    pub fn fetch(&self, request: &Request) -> Result<List> {
        let list = List::new(self, request)?;
        list.fetch()?;
        Ok(list)
    }

    /// Delivers what other connections and processes have committed.
    pub fn dispatch(&self) -> Result<()> {
        check(|| unsafe { ffi::fr_store_dispatch(self.raw) })
    }

    /// Waits until there is something to deliver, or the time has passed, and delivers.
    pub fn wait(&self, timeout: Option<Duration>) -> Result<()> {
        let milliseconds = timeout.map_or(-1, |time| i32::try_from(time.as_millis()).unwrap_or(i32::MAX));
        check(|| unsafe { ffi::fr_store_wait(self.raw, milliseconds) })
    }

    /// A descriptor that is readable as long as there is something to dispatch. Neither read nor
    /// close it.
    pub fn descriptor(&self) -> Result<BorrowedFd<'_>> {
        let mut descriptor = -1;
        check(|| unsafe { ffi::fr_store_file_descriptor(&mut descriptor, self.raw) })?;
        // SAFETY: the descriptor is open as long as the store.
        Ok(unsafe { BorrowedFd::borrow_raw(descriptor) })
    }

    /// Makes the store movable to another thread. Fails if a list, an object or a change set of the
    /// store still exists, since these would stay here.
    pub fn park(self) -> std::result::Result<ParkedStore, Store> {
        if Rc::strong_count(&self.token) == 1 {
            Ok(ParkedStore(self))
        } else {
            Err(self)
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // There is nobody to report a failure to; `close` returns it.
        let _ = check(|| unsafe { ffi::fr_store_close(self.raw) });
    }
}

/// A store on its way to another thread. Nothing that was made from it exists.
pub struct ParkedStore(Store);

// SAFETY: a store may be used by one thread after another, and nothing else has its token.
unsafe impl Send for ParkedStore {}

impl ParkedStore {
    /// The store, which belongs to this thread from now on.
    pub fn unpark(self) -> Store {
        self.0
    }
}
