//! Lists, change sets and observers.

use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;
use std::thread;

use fetchedresults::{
    values, ChangeType, Event, Identity, IndexPath, Order, Request, Status, Store, Total, Value,
};

fn store() -> Store {
    let store = Store::open(":memory:").unwrap();
    store
        .execute_script(
            "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, done INT DEFAULT 0, size REAL, data BLOB);
             INSERT INTO tasks (title) VALUES ('Call'), ('Bake'), ('Buy')",
        )
        .unwrap();
    store
}

fn by_title() -> Request {
    Request::new("tasks").section("done", Order::Ascending).sort("title", Order::Ascending)
}

fn titles(store: &Store, request: &Request) -> Vec<String> {
    let list = store.fetch(request).unwrap();
    let titles = list.objects().unwrap().map(|task| task.unwrap().get("title").unwrap()).collect();
    titles
}

#[test]
fn a_list_has_the_rows_that_its_request_describes() {
    let store = store();
    assert_eq!(titles(&store, &by_title()), ["Bake", "Buy", "Call"]);
    assert_eq!(
        titles(&store, &Request::new("tasks").sort("title", Order::Descending)),
        ["Call", "Buy", "Bake"]
    );
    let request = Request::new("tasks").predicate("title LIKE ?1 AND id < ?2", values!["B%", 3]);
    assert_eq!(titles(&store, &request), ["Bake"]);
    assert_eq!(titles(&store, &by_title().limit(1, 1)), ["Buy"]);
    store.execute_script("CREATE VIEW names AS SELECT id AS number, title FROM tasks").unwrap();
    assert_eq!(titles(&store, &Request::new("names").identity(&["number"])), ["Call", "Bake", "Buy"]);
}

#[test]
fn a_list_is_ranked_again_when_more_was_written_than_it_tolerates() {
    let store = Store::open(":memory:").unwrap();
    store.execute_script("CREATE VIRTUAL TABLE docs USING fts5(title)").unwrap();
    let by_rank =
        Request::new("docs").predicate("docs MATCH 'fox OR hen'", &[]).sort("rank", Order::Ascending);
    // The rarer word has the better rank.
    for (share, after) in
        [(0.0, ["hen", "hen", "fox", "fox", "fox"]), (f64::INFINITY, ["fox", "fox", "fox", "hen", "hen"])]
    {
        store.execute_script("DELETE FROM docs; INSERT INTO docs VALUES ('fox'), ('hen'), ('hen')").unwrap();
        let list = store.fetch(&by_rank.clone().rank_tolerance(share)).unwrap();
        let titles = || -> Vec<String> {
            list.objects().unwrap().map(|doc| doc.unwrap().get("title").unwrap()).collect()
        };
        assert_eq!(titles(), ["fox", "hen", "hen"]);
        store.execute_script("INSERT INTO docs VALUES ('fox'), ('fox')").unwrap();
        assert_eq!(titles(), after);
    }
    assert_eq!(store.fetch(&by_rank.rank_tolerance(-1.0)).err().unwrap().status(), Status::RANGE);
}

#[test]
fn a_list_of_groups_has_totals() {
    let store = store();
    store.execute("INSERT INTO tasks (title, done, size) VALUES ('Eat', 1, 2.5)", &[]).unwrap();
    let request = Request::new("tasks")
        .group_by(&["done"])
        .total("tasks", Total::Rows)
        .total("early", Total::Count("id < 3"))
        .total("size", Total::Sum("size"))
        .total("mean", Total::Average("id"))
        .total("first", Total::Min("title"))
        .total("last", Total::Max("title"))
        .having("tasks >= ?1", values![1])
        .sort("tasks", Order::Ascending);
    let groups = store.fetch(&request).unwrap();
    let shown = || -> Vec<(i64, i64, i64, Option<f64>, f64, String, String)> {
        let read = |group: fetchedresults::Object| {
            (
                group.get("done").unwrap(),
                group.get("tasks").unwrap(),
                group.get("early").unwrap(),
                group.get("size").unwrap(),
                group.get("mean").unwrap(),
                group.get("first").unwrap(),
                group.get("last").unwrap(),
            )
        };
        groups.objects().unwrap().map(|group| read(group.unwrap())).collect()
    };
    assert_eq!(
        shown(),
        [
            (1, 1, 0, Some(2.5), 4.0, "Eat".into(), "Eat".into()),
            (0, 3, 2, None, 2.0, "Bake".into(), "Call".into())
        ]
    );
    store.execute("DELETE FROM tasks WHERE title = ?1", values!["Call"]).unwrap();
    assert_eq!(shown()[1], (0, 2, 1, None, 2.5, "Bake".into(), "Buy".into()));
    groups.set_request(&request.having("tasks > ?1", values![1])).unwrap();
    assert_eq!(shown().len(), 1);
    assert_eq!(
        store.fetch(&Request::new("tasks").group_by(&["nowhere"])).err().unwrap().status(),
        Status::SCHEMA
    );
}

#[test]
fn a_list_of_rows_has_totals_of_all_and_of_sections() {
    let store = store();
    let list =
        store.fetch(&by_title().total("tasks", Total::Rows).total("last", Total::Max("title"))).unwrap();
    let shown = |totals: fetchedresults::Object| -> (i64, String) {
        (totals.get("tasks").unwrap(), totals.get("last").unwrap())
    };
    store.execute("UPDATE tasks SET done = 1 WHERE title = ?1", values!["Bake"]).unwrap();
    assert_eq!(shown(list.totals().unwrap()), (3, "Call".into()));
    assert_eq!(shown(list.section_totals(1).unwrap()), (1, "Bake".into()));
    assert_eq!(list.section_totals(2).err().unwrap().status(), Status::RANGE);
    assert_eq!(store.fetch(&by_title()).unwrap().totals().unwrap().column_count().unwrap(), 0);
}

#[test]
fn values_are_read_and_written() {
    let store = store();
    let bytes: &[u8] = b"\x00\xff";
    store
        .execute("INSERT INTO tasks VALUES (?1, ?2, ?3, ?4, ?5)", values![9, "a\0b", None::<i64>, 0.5, bytes])
        .unwrap();
    assert_eq!((store.changes().unwrap(), store.last_insert_rowid().unwrap()), (1, 9));
    let list = store.fetch(&Request::new("tasks").predicate("id = 9", &[])).unwrap();
    let task = list.object(IndexPath::new(0, 0)).unwrap();
    let all: Vec<Value<'_>> = (0..5).map(|column| task.value(column).unwrap()).collect();
    assert_eq!(
        all,
        [Value::Integer(9), Value::Text(b"a\0b"), Value::Null, Value::Real(0.5), Value::Blob(bytes)]
    );
    assert_eq!(task.get::<Option<i64>>("done").unwrap(), None);
    assert_eq!(task.get::<f64>("size").unwrap(), 0.5);
    assert_eq!(task.get::<Vec<u8>>("data").unwrap(), bytes);
    assert_eq!(task.get::<i64>("title").unwrap_err().status(), Status::TYPE);
    assert_eq!(task.identity().unwrap(), [Value::Integer(9)]);
    assert_eq!(task.column_name(1).unwrap(), "title");
    assert_eq!(list.path_of(&task).unwrap(), IndexPath::new(0, 0));
}

#[test]
fn an_observer_gets_the_records_of_each_delivery() {
    let store = store();
    let list = store.fetch(&by_title()).unwrap();
    let seen = Rc::new(RefCell::new(Vec::new()));
    let noted = seen.clone();
    let observer = list
        .observe(move |list, event| {
            let Event::Changes(changes) = event else { panic!("no failure is expected") };
            assert!(!changes.is_reload().unwrap());
            assert_eq!(list.count().unwrap(), 3);
            noted.borrow_mut().push(changes.clone());
        })
        .unwrap();
    store.execute("UPDATE tasks SET done = 1, title = 'Cook' WHERE title = 'Bake'", &[]).unwrap();
    list.remove_observer(observer).unwrap();
    store.execute("DELETE FROM tasks", &[]).unwrap();
    drop(list);

    let changes = seen.borrow_mut().pop().unwrap();
    assert!(seen.borrow().is_empty());
    let records: Vec<_> = changes.records().unwrap().collect();
    assert_eq!(records.len(), 2);
    assert!(records[0].is_section);
    assert_eq!((records[0].change_type, records[0].old_path), (ChangeType::Insert, None));
    assert_eq!(changes.section_name(0).unwrap().as_deref(), Some("1"));
    assert_eq!(records[1].change_type, ChangeType::Move);
    assert_eq!(records[1].old_path, Some(IndexPath::new(0, 0)));
    assert_eq!(records[1].new_path, Some(IndexPath::new(1, 0)));
    assert_eq!(changes.object(1).unwrap().get::<String>("title").unwrap(), "Cook");
    assert_eq!(changes.old_value(1, 1).unwrap(), Value::Text(b"Bake"));
    assert!(changes.column_changed(1, 1).unwrap() && !changes.column_changed(1, 0).unwrap());
    assert_eq!(changes.identity(1).unwrap(), [Value::Integer(2)]);
    assert_eq!(changes.sequential().unwrap().records().unwrap().len(), 2);
}

#[test]
fn an_observer_is_notified_of_a_list_that_can_not_follow() {
    let store = store();
    let list = store.fetch(&by_title()).unwrap();
    let seen = Rc::new(RefCell::new(Vec::new()));
    let noted = seen.clone();
    list.observe(move |_, event| {
        if let Event::Failure(error) = event {
            noted.borrow_mut().push(error.status());
        }
    })
    .unwrap();
    store.execute("ALTER TABLE tasks RENAME TO jobs", &[]).unwrap();
    assert_eq!(*seen.borrow(), [Status::SCHEMA]);
}

#[test]
fn a_panic_of_an_observer_continues_after_the_call() {
    let store = store();
    let list = store.fetch(&by_title()).unwrap();
    let calls = Rc::new(RefCell::new(0));
    let counted = calls.clone();
    list.observe(|_, _| panic!("no room")).unwrap();
    list.observe(move |list, _| {
        // A call inside a callback does not get the panic of another one.
        list.count().unwrap();
        *counted.borrow_mut() += 1;
    })
    .unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| store.execute("DELETE FROM tasks WHERE id = 1", &[])));
    assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"no room"));
    assert_eq!((*calls.borrow(), list.count().unwrap()), (1, 2));
}

#[test]
fn an_observer_may_write_and_drop_its_list() {
    let store = Rc::new(store());
    let list = Rc::new(RefCell::new(Some(store.fetch(&by_title()).unwrap())));
    let (writer, dropped) = (store.clone(), list.clone());
    let token = Rc::new(());
    let held = token.clone();
    list.borrow()
        .as_ref()
        .unwrap()
        .observe(move |_, _| {
            let _ = &held;
            writer.execute("INSERT INTO tasks (title) VALUES ('Written')", &[]).unwrap();
            drop(dropped.take());
        })
        .unwrap();
    store.execute("DELETE FROM tasks WHERE id = 1", &[]).unwrap();
    assert!(list.borrow().is_none());
    assert_eq!(Rc::strong_count(&token), 1);
    assert_eq!(titles(&store, &by_title()), ["Bake", "Buy", "Written"]);
}

#[test]
fn errors_say_what_is_wrong() {
    let store = store();
    let error = store.execute("INSERT INTO nowhere VALUES (1)", &[]).unwrap_err();
    assert_eq!((error.status(), error.message()), (Status::SQL, "no such table: nowhere"));
    assert_eq!(error.sql(), Some("INSERT INTO nowhere VALUES (1)"));
    let error = store.execute("INSERT INTO tasks (id) VALUES (1)", &[]).unwrap_err();
    assert_eq!((error.status(), error.sqlite_code()), (Status::CONSTRAINT, 1555));
    assert_eq!(format!("{:?}", error.status()), "FR_CONSTRAINT");
    assert_eq!(store.fetch(&Request::new("nothing")).err().unwrap().status(), Status::SCHEMA);
    assert_eq!(store.execute("SELECT 1\0", &[]).unwrap_err().status(), Status::INVALID_UTF8);
}

#[test]
fn a_transaction_is_rolled_back_by_an_error_and_by_a_panic() {
    let store = store();
    let count = || titles(&store, &by_title()).len();
    let delete = || store.execute("DELETE FROM tasks WHERE id = 1", &[]);
    let failed = store.transaction(|| delete().and_then(|()| store.execute("nonsense", &[])));
    assert_eq!((failed.unwrap_err().status(), count()), (Status::SQL, 3));
    let panic = catch_unwind(AssertUnwindSafe(|| {
        store.transaction::<()>(|| {
            delete()?;
            panic!("half-way")
        })
    }));
    assert_eq!((panic.is_err() as i32, count()), (1, 3));
    store.transaction(delete).unwrap();
    assert_eq!(count(), 2);
}

#[test]
fn a_store_without_lists_moves_to_another_thread() {
    let store = store();
    let list = store.fetch(&by_title()).unwrap();
    let task = list.object(IndexPath::new(0, 0)).unwrap();
    drop(list);
    let store = store.park().err().expect("an object exists");
    drop(task);
    let parked = store.park().ok().expect("nothing else exists");
    let titles = thread::spawn(move || titles(&parked.unpark(), &by_title())).join().unwrap();
    assert_eq!(titles, ["Bake", "Buy", "Call"]);
}

#[test]
fn objects_outlive_their_store_and_lists_are_closed() {
    let store = store();
    let list = store.fetch(&by_title()).unwrap();
    let task = list.object(IndexPath::new(0, 0)).unwrap();
    let copy = task.clone();
    drop(task);
    store.close().unwrap();
    assert_eq!(copy.get::<String>("title").unwrap(), "Bake");
    assert_eq!(list.count().unwrap_err().status(), Status::CLOSED);
}

#[test]
fn a_step_is_undone_and_done_again() {
    let store = store();
    let list = store.fetch(&by_title()).unwrap();
    let delete = |id: i64| store.execute("DELETE FROM tasks WHERE id = ?1", values![id]);
    let names = || (store.undo_name().unwrap(), store.redo_name().unwrap());
    let name = |text: &str| Some(text.to_owned());
    assert_eq!(store.undo().unwrap_err().status(), Status::NOT_FOUND);
    let counted = store.step("Delete", || {
        delete(1)?;
        list.count()
    });
    assert_eq!((counted.unwrap(), list.count().unwrap(), names()), (3, 2, (name("Delete"), None)));
    store.undo().unwrap();
    assert_eq!((list.count().unwrap(), names()), (3, (None, name("Delete"))));
    store.redo().unwrap();
    assert_eq!((list.count().unwrap(), names()), (2, (name("Delete"), None)));
    store.step_joining_last("Delete", || delete(2)).unwrap();
    store.undo().unwrap();
    assert_eq!((list.count().unwrap(), names()), (3, (None, name("Delete"))));

    let failed = store.step("Fail", || delete(3).and_then(|()| store.execute("nonsense", &[])));
    assert_eq!((failed.unwrap_err().status(), list.count().unwrap(), names().0), (Status::SQL, 3, None));
    store.step("Delete", || delete(3)).unwrap();
    store.execute("INSERT INTO tasks (id, title) VALUES (3, 'Other')", &[]).unwrap();
    assert_eq!(store.undo().unwrap_err().status(), Status::GONE);
    store.discard_steps(usize::MAX).unwrap();
    assert_eq!(names(), (None, None));
    store.set_undo_limit(0, 0).unwrap();
    store.step("Delete", || delete(1)).unwrap();
    assert_eq!(names(), (None, None));
    assert_eq!(store.step("a\0b", || Ok(())).unwrap_err().status(), Status::INVALID_UTF8);
}

/// Before: 700 rows, more than the library returns at a time, with identities of each kind.
/// Expected: a range has the identities that the rows have.
#[test]
fn identities_of_many_rows_are_read_together() {
    let store = store();
    store
        .execute_script(
            "CREATE TABLE pair (a REAL, b TEXT, c, PRIMARY KEY (a, b, c)) WITHOUT ROWID;
             WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
             INSERT INTO pair SELECT i / 2.0, 'text ' || i, iif(i % 2, i, CAST(i AS BLOB)) FROM n;
             CREATE VIEW pairs AS SELECT nullif(a, 7) AS a, nullif(b, 'text 9') AS b, c FROM pair",
        )
        .unwrap();
    let request = Request::new("pairs").identity(&["a", "b", "c"]).sort("b", Order::Descending);
    let list = store.fetch(&request).unwrap();
    let all = list.identities(..).unwrap();
    assert_eq!(all.len(), 700);
    for (row, object) in list.objects().unwrap().enumerate() {
        let object = object.unwrap();
        assert_eq!(all[row].values(), object.identity().unwrap());
        assert_eq!(all[row], list.identity_at(IndexPath::new(0, row as i64)).unwrap());
        assert_eq!(all[row], Identity::from(&object.identity().unwrap()[..]));
    }
    let number_of = |row: usize| list.path_of_identity(&all[row].values()).unwrap().row;
    assert_eq!((number_of(0), number_of(699)), (0, 699));
    assert_eq!(list.identities(600..650).unwrap(), all[600..650]);
    assert_eq!(list.identities(699..=i64::MAX).unwrap(), all[699..]);
    assert!(list.identities(700..).unwrap().is_empty() && list.identities(..i64::MIN).unwrap().is_empty());
    assert_eq!(list.identities(-1..).unwrap_err().status(), Status::RANGE);
    assert_eq!(list.identity_at(IndexPath::new(0, 700)).unwrap_err().status(), Status::RANGE);
    assert_eq!(list.path_of_identity(values![1, 2, 3]).unwrap_err().status(), Status::NOT_FOUND);
    assert_eq!(list.path_of_identity(values![1]).unwrap_err().status(), Status::RANGE);
}
