//! Lists, and what observes them.

use std::mem::MaybeUninit;
use std::ops::{Bound, Deref, RangeBounds};
use std::ptr::null_mut;

use crate::error::{check, free, text_of, Result};
use crate::ffi;
use crate::identity;
use crate::identity::Identity;
use crate::object::Object;
use crate::observer;
use crate::observer::{Event, ObserverId};
use crate::request::Request;
use crate::store::{Store, Token};
use crate::value::{Arguments, Value};

/// A place in a list: section and row, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexPath {
    /// The section.
    pub section: i64,
    /// The row in it.
    pub row: i64,
}

impl IndexPath {
    /// A place.
    pub fn new(section: i64, row: i64) -> IndexPath {
        IndexPath { section, row }
    }

    fn to_ffi(self) -> ffi::fr_index_path {
        ffi::fr_index_path { section: self.section, row: self.row }
    }

    pub(crate) fn from_ffi(path: ffi::fr_index_path) -> IndexPath {
        IndexPath { section: path.section, row: path.row }
    }
}

/// A section: its name, and how many rows it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The section's value as text; `None` for the section of NULL, and in a list without sections.
    pub name: Option<String>,
    /// Of rows.
    pub count: i64,
}

/// What can be read from a list, and done with it. Callbacks borrow one.
pub struct ListRef {
    raw: *mut ffi::fr_list,
    token: Token,
}

impl ListRef {
    pub(crate) fn borrowed(raw: *mut ffi::fr_list, token: Token) -> ListRef {
        ListRef { raw, token }
    }

    /// Fetches the list again.
    pub fn fetch(&self) -> Result<()> {
        check(|| unsafe { ffi::fr_list_perform_fetch(self.raw) })
    }

    /// Shows what another request describes. Observers get the difference.
    pub fn set_request(&self, request: &Request) -> Result<()> {
        request.with_raw(|raw| check(|| unsafe { ffi::fr_controller_set_request(self.raw, raw) }))
    }

    /// How many rows all sections have.
    pub fn count(&self) -> Result<i64> {
        let mut count = 0;
        check(|| unsafe { ffi::fr_list_count(&mut count, self.raw) })?;
        Ok(count)
    }

    /// All sections; one for a list without sections.
    pub fn sections(&self) -> Result<Vec<Section>> {
        let mut count = 0;
        check(|| unsafe { ffi::fr_list_section_count(&mut count, self.raw) })?;
        (0..count).map(|index| self.section(index)).collect()
    }

    /// One section.
    pub fn section(&self, index: i64) -> Result<Section> {
        let mut info = ffi::fr_section_info {
            name: std::ptr::null(),
            name_length: 0,
            index_title: std::ptr::null(),
            count: 0,
            value: ffi::NULL,
            index: 0,
        };
        check(|| unsafe { ffi::fr_list_section(&mut info, self.raw, index) })?;
        // SAFETY: the name is borrowed until the list changes, and copied here.
        let name = (!info.name.is_null()).then(|| unsafe { text_of(info.name) });
        Ok(Section { name, count: info.count })
    }

    /// The totals of the list ([`Request::total`]), as an object with a column for each.
    pub fn totals(&self) -> Result<Object> {
        self.section_totals(-1)
    }

    /// The totals of one section.
    pub fn section_totals(&self, index: i64) -> Result<Object> {
        Object::from_call(&self.token, |out| unsafe { ffi::fr_list_totals(out, self.raw, index) })
    }

    /// The row at an index path.
    pub fn object(&self, path: IndexPath) -> Result<Object> {
        Object::from_call(&self.token, |out| unsafe { ffi::fr_list_object_at(out, self.raw, path.to_ffi()) })
    }

    /// The index path of the row with a number over all sections, from 0.
    pub fn path_at(&self, index: i64) -> Result<IndexPath> {
        let mut path = IndexPath::new(-1, -1).to_ffi();
        check(|| unsafe { ffi::fr_list_index_path_at(&mut path, self.raw, index) })?;
        Ok(IndexPath::from_ffi(path))
    }

    /// Where the row of an object is now.
    pub fn path_of(&self, object: &Object) -> Result<IndexPath> {
        let mut path = IndexPath::new(-1, -1).to_ffi();
        check(|| unsafe { ffi::fr_list_index_path_of(&mut path, self.raw, object.raw) })?;
        Ok(IndexPath::from_ffi(path))
    }

    /// Where the row with an identity is now.
    pub fn path_of_identity(&self, identity: &[Value<'_>]) -> Result<IndexPath> {
        let values = Arguments::new(identity.iter().copied());
        let mut path = IndexPath::new(-1, -1).to_ffi();
        check(|| unsafe {
            ffi::fr_list_index_path_of_identity(&mut path, self.raw, values.pointer(), values.count())
        })?;
        Ok(IndexPath::from_ffi(path))
    }

    /// The identity of the row at an index path, which is not read.
    pub fn identity_at(&self, path: IndexPath) -> Result<Identity> {
        let (mut first, mut count) = (std::ptr::null(), 0);
        check(|| unsafe { ffi::fr_list_identity_at(&mut first, &mut count, self.raw, path.to_ffi()) })?;
        // SAFETY: the values are borrowed until the next call, and copied here.
        Ok(unsafe { identity::of_values(first, count) })
    }

    /// The identities of rows by their numbers over all sections: `..` for all. No row is read.
    pub fn identities(&self, rows: impl RangeBounds<i64>) -> Result<Vec<Identity>> {
        let start = match rows.start_bound() {
            Bound::Included(&first) => first,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match rows.end_bound() {
            Bound::Included(&last) => last.saturating_add(1),
            Bound::Excluded(&end) => end,
            Bound::Unbounded => i64::MAX,
        };
        let end = end.min(self.count()?);
        let mut found = Vec::new();
        if start >= end {
            return Ok(found);
        }
        let mut path = self.path_at(start)?.to_ffi();
        let count = (end - start) as usize;
        while found.len() < count {
            let mut block = MaybeUninit::uninit();
            check(|| unsafe {
                ffi::fr_list_identities(block.as_mut_ptr(), self.raw, path, count - found.len())
            })?;
            // SAFETY: the call has succeeded, so it has filled the block, which has rows; they are
            // borrowed until the next call.
            unsafe {
                let block: ffi::fr_rows = block.assume_init();
                path = *block.paths.add(block.count - 1);
                found.append(&mut identity::of_block(&block));
            }
            path.row += 1;
        }
        Ok(found)
    }

    /// All rows, in their order. The list should not change meanwhile.
    pub fn objects(&self) -> Result<impl Iterator<Item = Result<Object>> + '_> {
        let count = self.count()?;
        Ok((0..count).map(|index| self.object(self.path_at(index)?)))
    }

    /// Has a closure called after each delivery, and if the list can't follow. It runs inside the
    /// call that causes the delivery, until it is removed or the list is dropped.
    pub fn observe(&self, closure: impl FnMut(&ListRef, Event<'_>) + 'static) -> Result<ObserverId> {
        observer::add(self.raw, &self.token, Box::new(closure))
    }

    /// Removes a closure.
    pub fn remove_observer(&self, observer: ObserverId) -> Result<()> {
        check(|| unsafe { ffi::fr_list_remove_observer(self.raw, observer.0) })
    }
}

/// A live list. It stays on the thread of its store.
///
/// ```compile_fail,E0277
/// let store = fetchedresults::Store::open(":memory:").unwrap();
/// store.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY)", &[]).unwrap();
/// let tasks = store.fetch(&fetchedresults::Request::new("tasks")).unwrap();
/// std::thread::scope(|scope| scope.spawn(|| tasks.count()).join().map(|_| ()).unwrap());
/// ```
pub struct List(ListRef);

impl List {
    pub(crate) fn new(store: &Store, request: &Request) -> Result<List> {
        let mut raw = null_mut();
        request
            .with_raw(|request| check(|| unsafe { ffi::fr_controller_new(&mut raw, store.raw, request) }))?;
        Ok(List(ListRef { raw, token: store.token.clone() }))
    }
}

impl Deref for List {
    type Target = ListRef;

    fn deref(&self) -> &ListRef {
        &self.0
    }
}

impl Drop for List {
    fn drop(&mut self) {
        free(|| {
            // Fails only for a list with a cache name, which requests of this crate do not have.
            let _ = unsafe { ffi::fr_list_free(self.0.raw) };
        });
    }
}
