//! Shows a table and follows it, whichever program writes:
//! cargo run --example live_list -- app.db tasks title

use std::env::args;
use std::process::ExitCode;

use fetchedresults::{Event, ListRef, Options, Order, Request, Result, Store};

fn print(list: &ListRef) -> Result<()> {
    for object in list.objects()? {
        let object = object?;
        let values =
            (0..object.column_count()?).map(|column| object.value(column)).collect::<Result<Vec<_>>>()?;
        let texts: Vec<String> = values
            .iter()
            .map(|value| value.as_str().map_or_else(|| format!("{value:?}"), str::to_owned))
            .collect();
        println!("{}", texts.join(" | "));
    }
    Ok(())
}

fn report(list: &ListRef, event: Event<'_>) -> Result<()> {
    match event {
        Event::Changes(changes) => {
            for change in changes.records()? {
                println!("{:?} {:?} -> {:?}", change.change_type, change.old_path, change.new_path);
            }
            print(list)
        }
        Event::Failure(error) => Err(error.clone()),
        _ => Ok(()),
    }
}

fn follow(database: &str, table: &str, key: &str) -> Result<()> {
    let store: Store = Options::new().read_only().open(database)?;
    let list = store.fetch(&Request::new(table).sort(key, Order::Ascending))?;
    print(&list)?;
    list.observe(|list, event| {
        if let Err(error) = report(list, event) {
            eprintln!("live_list: {error}");
        }
    })?;
    loop {
        store.wait(None)?;
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = args().skip(1).collect();
    let [database, table, key] = &arguments[..] else {
        eprintln!("usage: live_list DATABASE TABLE KEY");
        return ExitCode::FAILURE;
    };
    match follow(database, table, key) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("live_list: {error}");
            ExitCode::FAILURE
        }
    }
}
