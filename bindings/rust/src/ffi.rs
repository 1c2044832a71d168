//! The C interface, as far as this crate uses it: include/fetchedresults has its reference.

#![allow(non_camel_case_types)]

use std::marker::{PhantomData, PhantomPinned};
use std::os::raw::{c_char, c_void};

macro_rules! handles {
    ($($name:ident),*) => {$(
        /// A handle. It belongs to one thread at a time, so it is neither `Send` nor `Sync`.
        #[repr(C)]
        pub struct $name {
            _bytes: [u8; 0],
            _marker: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )*};
}
handles!(fr_store, fr_request, fr_list, fr_object, fr_change_set);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fr_value {
    pub kind: i32,
    pub reserved: i32,
    pub integer: i64,
    pub real: f64,
    pub data: *const c_char,
    pub length: i64,
}

#[repr(C)]
pub struct fr_store_options {
    pub struct_size: usize,
    pub flags: u32,
    pub busy_timeout_ms: i32,
    pub journal_mode: *const c_char,
    pub cache_directory: *const c_char,
    pub snapshot_limit: i64,
    pub poll_interval_ms: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fr_index_path {
    pub section: i64,
    pub row: i64,
}

#[repr(C)]
pub struct fr_section_info {
    pub name: *const c_char,
    pub name_length: i64,
    pub index_title: *const c_char,
    pub count: i64,
    pub value: fr_value,
    pub index: i64,
}

#[repr(C)]
pub struct fr_column {
    pub kind: i32,
    pub reserved: i32,
    pub data: *const c_void,
    pub size: usize,
    pub nulls: *const i64,
    pub null_count: usize,
}

#[repr(C)]
pub struct fr_rows {
    pub count: usize,
    pub paths: *const fr_index_path,
    pub layout: u64,
    pub column_count: usize,
    pub columns: *const fr_column,
    pub identity_count: usize,
    pub identities: *const fr_column,
}

#[repr(C)]
pub struct fr_change {
    pub kind: i32,
    pub change_type: i32,
    pub flags: u32,
    pub index: i32,
    pub old_path: fr_index_path,
    pub new_path: fr_index_path,
    pub changed_columns: u64,
}

#[repr(C)]
pub struct fr_error {
    pub struct_size: usize,
    pub status: i32,
    pub sqlite_code: i32,
    pub message: *const c_char,
    pub sql: *const c_char,
}

/// The members that this crate does not set are addresses of functions, and NULL.
#[repr(C)]
pub struct fr_observer {
    pub struct_size: usize,
    pub will_change: *const c_void,
    pub section_changed: *const c_void,
    pub object_changed: *const c_void,
    pub did_change: *const c_void,
    pub did_deliver: unsafe extern "C" fn(*mut fr_list, *mut fr_change_set, *mut c_void),
    pub did_fail: unsafe extern "C" fn(*mut fr_list, *const fr_error, *mut c_void),
    pub did_reload: *const c_void,
}

pub type fr_destroy = unsafe extern "C" fn(*mut c_void);

extern "C" {
    pub fn fr_version() -> *const c_char;
    pub fn fr_status_name(status: i32) -> *const c_char;
    pub fn fr_error_message() -> *const c_char;
    pub fn fr_error_sqlite_code() -> i32;
    pub fn fr_error_sql() -> *const c_char;
    pub fn fr_live_handles(out: *mut i64, kind: i32) -> i32;

    pub fn fr_store_open(
        out: *mut *mut fr_store,
        path: *const c_char,
        options: *const fr_store_options,
    ) -> i32;
    pub fn fr_store_close(store: *mut fr_store) -> i32;
    pub fn fr_store_execute(
        store: *mut fr_store,
        sql: *const c_char,
        params: *const fr_value,
        count: usize,
    ) -> i32;
    pub fn fr_store_execute_script(store: *mut fr_store, sql: *const c_char) -> i32;
    pub fn fr_store_changes(out: *mut i64, store: *mut fr_store) -> i32;
    pub fn fr_store_last_insert_rowid(out: *mut i64, store: *mut fr_store) -> i32;
    pub fn fr_store_begin(store: *mut fr_store, mode: i32) -> i32;
    pub fn fr_store_commit(store: *mut fr_store) -> i32;
    pub fn fr_store_rollback(store: *mut fr_store) -> i32;
    pub fn fr_store_begin_step(store: *mut fr_store, name: *const c_char, joins_last: bool) -> i32;
    pub fn fr_store_undo(store: *mut fr_store) -> i32;
    pub fn fr_store_redo(store: *mut fr_store) -> i32;
    pub fn fr_store_undo_name(out: *mut *const c_char, store: *mut fr_store) -> i32;
    pub fn fr_store_redo_name(out: *mut *const c_char, store: *mut fr_store) -> i32;
    pub fn fr_store_discard_steps(store: *mut fr_store, count: usize) -> i32;
    pub fn fr_store_set_undo_limit(store: *mut fr_store, steps: usize, bytes: usize) -> i32;
    pub fn fr_store_dispatch(store: *mut fr_store) -> i32;
    pub fn fr_store_wait(store: *mut fr_store, timeout_ms: i32) -> i32;
    pub fn fr_store_file_descriptor(out: *mut i32, store: *mut fr_store) -> i32;

    pub fn fr_request_new(out: *mut *mut fr_request, entity: *const c_char) -> i32;
    pub fn fr_request_free(request: *mut fr_request);
    pub fn fr_request_set_identity(
        request: *mut fr_request,
        columns: *const *const c_char,
        count: usize,
    ) -> i32;
    pub fn fr_request_set_predicate(
        request: *mut fr_request,
        sql: *const c_char,
        params: *const fr_value,
        count: usize,
    ) -> i32;
    pub fn fr_request_add_sort(
        request: *mut fr_request,
        key_path: *const c_char,
        flags: u32,
        collation: *const c_char,
    ) -> i32;
    pub fn fr_request_set_section(
        request: *mut fr_request,
        key_path: *const c_char,
        flags: u32,
        collation: *const c_char,
    ) -> i32;
    pub fn fr_request_set_columns(
        request: *mut fr_request,
        key_paths: *const *const c_char,
        count: usize,
    ) -> i32;
    pub fn fr_request_set_group_by(request: *mut fr_request, keys: *const *const c_char, count: usize)
        -> i32;
    pub fn fr_request_add_total(
        request: *mut fr_request,
        name: *const c_char,
        function: u32,
        expression: *const c_char,
    ) -> i32;
    pub fn fr_request_set_having(
        request: *mut fr_request,
        sql: *const c_char,
        params: *const fr_value,
        count: usize,
    ) -> i32;
    pub fn fr_request_set_limit(request: *mut fr_request, limit: i64, offset: i64) -> i32;
    pub fn fr_request_set_rank_tolerance(request: *mut fr_request, share: f64) -> i32;

    pub fn fr_controller_new(out: *mut *mut fr_list, store: *mut fr_store, request: *mut fr_request) -> i32;
    pub fn fr_controller_set_request(list: *mut fr_list, request: *mut fr_request) -> i32;
    pub fn fr_list_free(list: *mut fr_list) -> i32;
    pub fn fr_list_perform_fetch(list: *mut fr_list) -> i32;
    pub fn fr_list_count(out: *mut i64, list: *mut fr_list) -> i32;
    pub fn fr_list_section_count(out: *mut i64, list: *mut fr_list) -> i32;
    pub fn fr_list_section(out: *mut fr_section_info, list: *mut fr_list, section: i64) -> i32;
    pub fn fr_list_totals(out: *mut *mut fr_object, list: *mut fr_list, section: i64) -> i32;
    pub fn fr_list_object_at(out: *mut *mut fr_object, list: *mut fr_list, path: fr_index_path) -> i32;
    pub fn fr_list_index_path_at(out: *mut fr_index_path, list: *mut fr_list, index: i64) -> i32;
    pub fn fr_list_index_path_of(out: *mut fr_index_path, list: *mut fr_list, object: *mut fr_object) -> i32;
    pub fn fr_list_identity_at(
        out: *mut *const fr_value,
        count: *mut usize,
        list: *mut fr_list,
        path: fr_index_path,
    ) -> i32;
    pub fn fr_list_identities(
        out: *mut fr_rows,
        list: *mut fr_list,
        path: fr_index_path,
        count: usize,
    ) -> i32;
    pub fn fr_list_index_path_of_identity(
        out: *mut fr_index_path,
        list: *mut fr_list,
        identity: *const fr_value,
        count: usize,
    ) -> i32;
    pub fn fr_list_add_observer(
        out: *mut u64,
        list: *mut fr_list,
        observer: *const fr_observer,
        user_data: *mut c_void,
        destroy: fr_destroy,
    ) -> i32;
    pub fn fr_list_remove_observer(list: *mut fr_list, observer: u64) -> i32;

    pub fn fr_object_ref(object: *mut fr_object) -> *mut fr_object;
    pub fn fr_object_unref(object: *mut fr_object);
    pub fn fr_object_identity_count(out: *mut i64, object: *mut fr_object) -> i32;
    pub fn fr_object_identity(out: *mut fr_value, object: *mut fr_object, index: i64) -> i32;
    pub fn fr_object_column_count(out: *mut i64, object: *mut fr_object) -> i32;
    pub fn fr_object_column_name(out: *mut *const c_char, object: *mut fr_object, index: i64) -> i32;
    pub fn fr_object_column_index(out: *mut i64, object: *mut fr_object, name: *const c_char) -> i32;
    pub fn fr_object_value(out: *mut fr_value, object: *mut fr_object, index: i64) -> i32;

    pub fn fr_change_set_ref(changes: *mut fr_change_set) -> *mut fr_change_set;
    pub fn fr_change_set_unref(changes: *mut fr_change_set);
    pub fn fr_change_set_records(
        out: *mut *const fr_change,
        count: *mut usize,
        changes: *mut fr_change_set,
    ) -> i32;
    pub fn fr_change_set_is_reload(out: *mut bool, changes: *mut fr_change_set) -> i32;
    pub fn fr_change_set_object(out: *mut *mut fr_object, changes: *mut fr_change_set, index: usize) -> i32;
    pub fn fr_change_set_identity(
        out: *mut *const fr_value,
        count: *mut usize,
        changes: *mut fr_change_set,
        index: usize,
    ) -> i32;
    pub fn fr_change_set_old_value(
        out: *mut fr_value,
        changes: *mut fr_change_set,
        index: usize,
        column: i64,
    ) -> i32;
    pub fn fr_change_set_column_changed(
        out: *mut bool,
        changes: *mut fr_change_set,
        index: usize,
        column: i64,
    ) -> i32;
    pub fn fr_change_set_section_name(
        out: *mut *const c_char,
        changes: *mut fr_change_set,
        index: usize,
    ) -> i32;
    pub fn fr_change_set_sequential(out: *mut *mut fr_change_set, changes: *mut fr_change_set) -> i32;
}

pub const NULL: fr_value =
    fr_value { kind: 0, reserved: 0, integer: 0, real: 0.0, data: std::ptr::null(), length: 0 };
