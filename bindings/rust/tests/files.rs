//! Files that other connections write, and handles that are freed: one test, which counts them.

use std::fs;
use std::time::Duration;

use fetchedresults::{live_handles, values, Event, IndexPath, Options, Order, Request, Store};

#[test]
fn a_list_follows_another_connection_and_leaves_nothing_behind() {
    let path = std::env::temp_dir().join(format!("fetchedresults-{}.db", std::process::id()));
    let path = path.to_str().unwrap();
    {
        let writer = Store::open(path).unwrap();
        writer.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)", &[]).unwrap();
        let reader = Options::new().read_only().busy_timeout(Duration::from_secs(9)).open(path).unwrap();
        let notes = reader.fetch(&Request::new("notes").sort("text", Order::Descending)).unwrap();
        let observer = notes
            .observe(|list, event| {
                assert!(matches!(event, Event::Changes(_)));
                assert_eq!(list.count().unwrap(), 2);
            })
            .unwrap();
        reader.descriptor().unwrap();
        writer.execute("INSERT INTO notes (text) VALUES (?1), (?2)", values!["a", "b"]).unwrap();
        while notes.count().unwrap() == 0 {
            reader.wait(Some(Duration::from_secs(60))).unwrap();
        }
        assert_eq!(notes.object(IndexPath::new(0, 0)).unwrap().get::<String>("text").unwrap(), "b");
        notes.remove_observer(observer).unwrap();
        notes.set_request(&Request::new("notes").predicate("text = 'a'", &[])).unwrap();
        assert_eq!(notes.count().unwrap(), 1);
    }
    assert_eq!(live_handles().unwrap(), 0);
    for end in ["", "-wal", "-shm"] {
        // Those of the log are removed by SQLite.
        let _ = fs::remove_file(format!("{path}{end}"));
    }
}
