//! Closures as observers. The library owns a box with each.

use std::cell::RefCell;
use std::mem::size_of;
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null;

use crate::changes::ChangeSet;
use crate::error::{check, note_panic, Error, Result};
use crate::ffi;
use crate::list::ListRef;
use crate::store::Token;

/// What an observer is called for.
#[non_exhaustive]
pub enum Event<'a> {
    /// A delivery has changed the list. Clone the change set to retain it.
    Changes(&'a ChangeSet),
    /// The list can't follow, for example because its table was dropped. It stays in its last state,
    /// and recovers by itself when the cause is removed.
    Failure(&'a Error),
}

/// An observer of a list, for [`ListRef::remove_observer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObserverId(pub(crate) u64);

type Closure = Box<dyn FnMut(&ListRef, Event<'_>)>;

struct Observer {
    closure: RefCell<Closure>,
    token: Token,
}

pub(crate) fn add(list: *mut ffi::fr_list, token: &Token, closure: Closure) -> Result<ObserverId> {
    let callbacks = ffi::fr_observer {
        struct_size: size_of::<ffi::fr_observer>(),
        will_change: null(),
        section_changed: null(),
        object_changed: null(),
        did_change: null(),
        did_deliver,
        did_fail,
        did_reload: null(),
    };
    let observer = Box::new(Observer { closure: RefCell::new(closure), token: token.clone() });
    let mut id = 0;
    // `destroy` is called exactly once, also if this fails.
    check(|| unsafe {
        ffi::fr_list_add_observer(&mut id, list, &callbacks, Box::into_raw(observer).cast(), destroy)
    })?;
    Ok(ObserverId(id))
}

/// Calls the closure. A panic ends here, and continues when the library has returned.
///
/// # Safety
///
/// The observer of `data` must not have been destroyed.
unsafe fn call(list: *mut ffi::fr_list, data: *mut c_void, event: Event<'_>) {
    let observer = &*data.cast::<Observer>();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let list = ListRef::borrowed(list, observer.token.clone());
        (observer.closure.borrow_mut())(&list, event);
    }));
    if let Err(panic) = outcome {
        note_panic(panic);
    }
}

unsafe extern "C" fn did_deliver(
    list: *mut ffi::fr_list,
    changes: *mut ffi::fr_change_set,
    data: *mut c_void,
) {
    let changes = ChangeSet::retained(changes, &(*data.cast::<Observer>()).token);
    call(list, data, Event::Changes(&changes));
}

unsafe extern "C" fn did_fail(list: *mut ffi::fr_list, error: *const ffi::fr_error, data: *mut c_void) {
    let error = Error::from_callback(error);
    call(list, data, Event::Failure(&error));
}

unsafe extern "C" fn destroy(data: *mut c_void) {
    let observer = Box::from_raw(data.cast::<Observer>());
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(observer))) {
        note_panic(panic);
    }
}
