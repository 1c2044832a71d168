//! Finds the library: in FETCHEDRESULTS_LIB_DIR, else by pkg-config, else where the linker looks.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=FETCHEDRESULTS_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-link-lib=dylib=fetchedresults");
    let folder = env::var("FETCHEDRESULTS_LIB_DIR").ok().or_else(folder_of_package);
    if let Some(folder) = folder {
        println!("cargo:rustc-link-search=native={folder}");
    }
}

fn folder_of_package() -> Option<String> {
    let command = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    let done = Command::new(command).args(["--variable=libdir", "fetchedresults"]).output().ok()?;
    let folder = String::from_utf8(done.stdout).ok()?.trim().to_owned();
    (done.status.success() && !folder.is_empty()).then_some(folder)
}
