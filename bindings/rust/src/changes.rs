//! Change sets: what one delivery changed in one list.

use std::ptr::{null, null_mut};
use std::slice;

use crate::error::{check, free, text_of, Result};
use crate::ffi;
use crate::list::IndexPath;
use crate::object::Object;
use crate::store::Token;
use crate::value::Value;

/// What happened to a row or section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeType {
    /// It is new.
    Insert,
    /// It is gone.
    Delete,
    /// It has another place, and perhaps other values.
    Move,
    /// It has other values.
    Update,
}

/// One change. Old places count before the delivery, new places after the whole delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number in the change set.
    pub index: usize,
    /// Whether it is the change of a section. Its paths then have a row of -1.
    pub is_section: bool,
    /// What happened.
    pub change_type: ChangeType,
    /// Where it was; `None` for an insert.
    pub old_path: Option<IndexPath>,
    /// Where it is; `None` for a delete.
    pub new_path: Option<IndexPath>,
}

impl Change {
    fn from_ffi(change: &ffi::fr_change) -> Change {
        let path = |path: ffi::fr_index_path| (path.section >= 0).then(|| IndexPath::from_ffi(path));
        Change {
            index: change.index as usize,
            is_section: change.kind == 1,
            change_type: match change.change_type {
                1 => ChangeType::Insert,
                2 => ChangeType::Delete,
                3 => ChangeType::Move,
                _ => ChangeType::Update,
            },
            old_path: path(change.old_path),
            new_path: path(change.new_path),
        }
    }
}

/// All changes of one delivery in one list. It never changes, and outlives its list and store.
pub struct ChangeSet {
    raw: *mut ffi::fr_change_set,
    token: Token,
}

impl ChangeSet {
    /// # Safety
    ///
    /// `raw` has to be a change set.
    pub(crate) unsafe fn retained(raw: *mut ffi::fr_change_set, token: &Token) -> ChangeSet {
        ChangeSet { raw: ffi::fr_change_set_ref(raw), token: token.clone() }
    }

    /// The changes: deletes, then inserts, moves and updates, first of sections, then of rows.
    pub fn records(&self) -> Result<impl ExactSizeIterator<Item = Change> + '_> {
        let mut first = null();
        let mut count = 0;
        check(|| unsafe { ffi::fr_change_set_records(&mut first, &mut count, self.raw) })?;
        // SAFETY: the records live as long as the change set. Of none, there is no address.
        let records = if count == 0 { &[] } else { unsafe { slice::from_raw_parts(first, count) } };
        Ok(records.iter().map(Change::from_ffi))
    }

    /// Whether the whole list has to be shown again. There are no records then.
    pub fn is_reload(&self) -> Result<bool> {
        let mut is_reload = false;
        check(|| unsafe { ffi::fr_change_set_is_reload(&mut is_reload, self.raw) })?;
        Ok(is_reload)
    }

    /// The row of a record, in its new state, or in its last known one.
    pub fn object(&self, record: usize) -> Result<Object> {
        Object::from_call(&self.token, |out| unsafe { ffi::fr_change_set_object(out, self.raw, record) })
    }

    /// The values that identify the row of a record.
    pub fn identity(&self, record: usize) -> Result<Vec<Value<'_>>> {
        let mut first = null();
        let mut count = 0;
        check(|| unsafe { ffi::fr_change_set_identity(&mut first, &mut count, self.raw, record) })?;
        // SAFETY: the values live as long as the change set, and there is at least one.
        let values = unsafe { slice::from_raw_parts(first, count) };
        Ok(values.iter().map(|value| unsafe { Value::from_ffi(value) }).collect())
    }

    /// Whether a shown column has another value.
    pub fn column_changed(&self, record: usize, column: usize) -> Result<bool> {
        let mut changed = false;
        check(|| unsafe {
            ffi::fr_change_set_column_changed(&mut changed, self.raw, record, column as i64)
        })?;
        Ok(changed)
    }

    /// The value that a shown column had before.
    pub fn old_value(&self, record: usize, column: usize) -> Result<Value<'_>> {
        let mut value = ffi::NULL;
        check(|| unsafe { ffi::fr_change_set_old_value(&mut value, self.raw, record, column as i64) })?;
        // SAFETY: the data live as long as the change set.
        Ok(unsafe { Value::from_ffi(&value) })
    }

    /// The name of the section of a section's record; `None` for the section of NULL.
    pub fn section_name(&self, record: usize) -> Result<Option<String>> {
        let mut name = null();
        check(|| unsafe { ffi::fr_change_set_section_name(&mut name, self.raw, record) })?;
        // SAFETY: the name lives as long as the change set.
        Ok((!name.is_null()).then(|| unsafe { text_of(name) }))
    }

    /// The same changes as steps, which are applied one after another.
    pub fn sequential(&self) -> Result<ChangeSet> {
        let mut raw = null_mut();
        check(|| unsafe { ffi::fr_change_set_sequential(&mut raw, self.raw) })?;
        Ok(ChangeSet { raw, token: self.token.clone() })
    }
}

impl Clone for ChangeSet {
    fn clone(&self) -> ChangeSet {
        // SAFETY: this one holds a reference.
        unsafe { ChangeSet::retained(self.raw, &self.token) }
    }
}

impl Drop for ChangeSet {
    fn drop(&mut self) {
        free(|| unsafe { ffi::fr_change_set_unref(self.raw) });
    }
}
