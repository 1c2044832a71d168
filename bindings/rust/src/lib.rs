#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod changes;
mod error;
mod ffi;
mod identity;
mod list;
mod object;
mod observer;
mod request;
mod store;
mod value;

pub use changes::{Change, ChangeSet, ChangeType};
pub use error::{Error, Result, Status};
pub use identity::Identity;
pub use list::{IndexPath, List, ListRef, Section};
pub use object::Object;
pub use observer::{Event, ObserverId};
pub use request::{Order, Request, Total};
pub use store::{Options, ParkedStore, Store};
pub use value::{FromValue, Value};

/// The version of the library that the program runs with.
pub fn version() -> String {
    // SAFETY: the text is never freed.
    unsafe { error::text_of(ffi::fr_version()) }
}

/// How many handles of the library the process has not freed: for tests that look for leaks.
pub fn live_handles() -> Result<i64> {
    let mut count = 0;
    error::check(|| unsafe { ffi::fr_live_handles(&mut count, 0) })?;
    Ok(count)
}
