internal import CSQLite
internal import Glibc

/// Records, through SQLite's hooks, which rows of the watched tables a connection touches.
///
/// The hooks of a transaction, in order:
/// - The preupdate hook runs for each row before it is changed, whatever changes it (a statement, a
///   trigger, a foreign key, REPLACE). It notes the row, with its old image, in its table's
///   `TableWatch`.
/// - The commit hook: what was touched until then survives later rollbacks. If the commit still
///   fails, the rows stay noted without need. That is harmless: noted rows are read again, and
///   found to be unchanged. The hook refuses a commit into a file that is no longer at its path,
///   which makes SQLite roll back.
/// - The rollback hook discards what was touched since the last commit. Rollbacks to savepoints
///   have no hook, and also leave rows noted without need.
///
/// The preupdate hook must be set when a statement is prepared. Otherwise SQLite runs DELETE
/// without WHERE without calling the hook
/// (https://www.sqlite.org/lang_delete.html#the_truncate_optimization). Setting an authorizer makes
/// SQLite prepare all statements again (https://www.sqlite.org/c3ref/set_authorizer.html),
/// including the statements of the program that owns an adopted connection.
///
/// The update hook was rejected: it does not run for WITHOUT ROWID tables and REPLACE, and has no
/// old values.
///
/// Safe except for `start`, from which on SQLite has the capture's address.
@safe package final class ChangeCapture {
    let connection: Connection
    private var isStarted = false
    /// Whether the preupdate hook measures itself.
    package var measuresHook = false {
        didSet { if isStarted, connection.isOpen, measuresHook != oldValue { setPreupdateHook() } }
    }
    /// The time in the preupdate hook since the last call of `takeHookTime`, in nanoseconds.
    private var hookTime = 0
    package internal(set) var watches: [TableWatch] = []
    /// Where the last search ended: successive changes are usually in the same table.
    private var lastWatch = 0
    /// Whether anything was written since the last delivery, in any table.
    package private(set) var wroteAnything = false
    /// Counts the rows written, in all tables.
    package private(set) var writeCount = 0
    /// Counts rollbacks, of transactions and to savepoints: rows then have earlier values again.
    package private(set) var rollbackCount = 0
    /// How often the touched rows were taken.
    private var takeCount = 0
    /// The databases in which rows were written since the last delivery.
    package private(set) var written = WrittenDatabases()

    /// Called when a transaction that has written something is about to commit; must run no
    /// statement.
    package var didCommit: () -> Void = {}
    /// Notes what the open transaction touches in all tables; nil if nothing does.
    package private(set) var recorder: ChangeRecorder?

    package init(connection: Connection) {
        self.connection = connection
    }

    /// Sets the hooks. Throws `misuse` if they belong to another store. Unsafe, because the capture
    /// must exist until `stop`.
    @unsafe package func start() throws(StoreError) {
        guard let handle = unsafe connection.handle, unsafe Self.takeHooks(of: handle) else {
            throw StoreError(.misuse, "the SQLite connection belongs to another store, which is open")
        }
        isStarted = true
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        setPreupdateHook()
        unsafe sqlite3_commit_hook(
            connection.handle,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<ChangeCapture>.fromOpaque(context).takeUnretainedValue().willCommit() ? 0 : 1
            }, context)
        unsafe sqlite3_rollback_hook(
            connection.handle,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<ChangeCapture>.fromOpaque(context).takeUnretainedValue().didRollBack()
                }
            }, context)
        unsafe sqlite3_set_authorizer(connection.handle, { _, _, _, _, _, _ in SQLITE_OK }, nil)
        unsafe sqlite3_set_authorizer(connection.handle, nil, nil)
    }

    /// Sets the hook that also records and measures, or the one that does not, which neither costs
    /// anything.
    private func setPreupdateHook() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard measuresHook || recorder != nil else {
            unsafe sqlite3_preupdate_hook(
                connection.handle,
                { context, db, operation, schema, table, oldRowid, newRowid in
                    guard let context = unsafe context, let db = unsafe db, let schema = unsafe schema,
                        let table = unsafe table
                    else { return }
                    unsafe Unmanaged<ChangeCapture>.fromOpaque(context).takeUnretainedValue()
                        .willUpdate(db, operation, schema, table, oldRowid, newRowid)
                }, context)
            return
        }
        unsafe sqlite3_preupdate_hook(
            connection.handle,
            { context, db, operation, schema, table, oldRowid, newRowid in
                guard let context = unsafe context, let db = unsafe db, let schema = unsafe schema,
                    let table = unsafe table
                else { return }
                let start = monotonicTime()
                let capture = unsafe Unmanaged<ChangeCapture>.fromOpaque(context).takeUnretainedValue()
                unsafe capture.record(db, operation, schema, table, oldRowid, newRowid)
                unsafe capture.willUpdate(db, operation, schema, table, oldRowid, newRowid)
                if capture.measuresHook { capture.hookTime += monotonicTime() - start }
            }, context)
    }

    /// The time in the preupdate hook since the last call, in nanoseconds, as far as it was
    /// measured.
    package func takeHookTime() -> Int {
        defer { hookTime = 0 }
        return hookTime
    }

    package func stop() {
        guard isStarted, let handle = unsafe connection.handle else { return }
        isStarted = false
        unsafe Self.releaseHooks(of: handle)
        unsafe sqlite3_preupdate_hook(connection.handle, nil, nil)
        unsafe sqlite3_commit_hook(connection.handle, nil, nil)
        unsafe sqlite3_rollback_hook(connection.handle, nil, nil)
    }

    /// The watch of a table, which is created if necessary. It does not contain rows that were
    /// touched before.
    package func watch(
        schema: String, table: String, layout: @autoclosure () -> ImageLayout
    ) throws(StoreError) -> TableWatch {
        let (schemaName, tableName) = (ExactText(schema), ExactText(table))
        let known = watches.first { ExactText($0.schema) == schemaName && ExactText($0.table) == tableName }
        if let known {
            if known.layout.isComplete { return known }
            let layout = layout()
            known.use(layout, select: try connection.prepare(layout.select))
            return known
        }
        let layout = layout()
        let watch = TableWatch(
            schema: schema, table: table, layout: layout, select: try connection.prepare(layout.select),
            incompleteTake: wroteAnything ? takeCount : nil)
        watches.append(watch)
        return watch
    }

    /// Discards all watches: after a change of the schema each one has to be created again.
    package func removeWatches() { watches = [] }

    /// Whether a watch has all rows that were touched since the last call of `take`. This is not
    /// known of a watch that was created after writes.
    package func hasAllTouched(_ watch: TableWatch) -> Bool { watch.incompleteTake != takeCount }

    /// Notes a rollback. SQLite has a hook for the rollback of a transaction; the store notes one
    /// to a savepoint.
    package func noteRollback() { rollbackCount &+= 1 }

    /// Whether a watch notes what is touched.
    package func isWatched(_ watch: TableWatch) -> Bool { watches.contains { $0 === watch } }

    package func unwatch(_ watch: TableWatch) {
        watches.removeAll { $0 === watch }
    }

    /// Whether something was written that has not been taken.
    package var isEmpty: Bool { !wroteAnything }

    /// All rows touched since the last call, by table. The store's delivery calls it when no
    /// transaction is open, or just before the commit of the open one. A round of all lists
    /// follows.
    package func take() -> [TouchedTable] {
        wroteAnything = false
        written.removeAll()
        takeCount &+= 1
        return watches.compactMap { $0.isEmpty ? nil : TouchedTable($0, $0.take()) }
    }

    /// Restores touched rows that were taken too early: their transaction continues.
    package func restore(_ touched: [TouchedTable], _ written: WrittenDatabases) {
        wroteAnything = true
        takeCount &-= 1
        self.written = written
        for table in touched { table.watch.restore(table.rows) }
    }

    /// The preupdate hook: SQLite calls it for each row. `willCommit` or `didRollBack` follows, and
    /// after a commit `take`.
    private func willUpdate(
        _ db: OpaquePointer, _ operation: Int32, _ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>,
        _ oldRowid: Int64, _ newRowid: Int64
    ) {
        wroteAnything = true
        writeCount &+= 1
        unsafe written.note(schema)
        guard let watch = unsafe findWatch(schema, table) else { return }
        unsafe touch(watch, db, operation, oldRowid, newRowid)
    }

    /// Notes the row that is about to change in the watch of its table.
    @inline(__always)
    private func touch(
        _ watch: TableWatch, _ db: OpaquePointer, _ operation: Int32, _ oldRowid: Int64, _ newRowid: Int64
    ) {
        if let key = watch.layout.key {
            let old = operation == SQLITE_INSERT ? nil : unsafe self.key(db, sqlite3_preupdate_old, key.columns)
            if let old {
                unsafe watch.touch(
                    key: old,
                    image: oldImage(db, watch) { (select: Statement) throws(StoreError) in
                        for index in 0..<old.count { try select.bind(old, index, at: index + 1) }
                    })
            }
            if operation == SQLITE_DELETE { return }
            let columns = operation == SQLITE_UPDATE ? key.updatedColumns : key.columns
            if let old, unsafe isNewKey(old, db, columns) { return }
            if let new = unsafe self.key(db, sqlite3_preupdate_new, columns) { watch.touch(newKey: new) }
        } else {
            if operation != SQLITE_INSERT {
                unsafe watch.touch(
                    rowid: oldRowid,
                    image: oldImage(db, watch) { (select: Statement) throws(StoreError) in
                        try select.bind(oldRowid, at: 1)
                    })
            }
            if operation != SQLITE_DELETE { watch.touch(newRowid: newRowid) }
        }
    }

    private func findWatch(_ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) -> TableWatch? {
        if lastWatch < watches.count, unsafe watches[lastWatch].isNamed(schema, table) { return watches[lastWatch] }
        guard let index = watches.firstIndex(where: { unsafe $0.isNamed(schema, table) }) else { return nil }
        lastWatch = index
        return watches[index]
    }

    /// The row that is about to change; nil if it can't be determined. A statement reads the row,
    /// which is still unchanged, where the hook's values are not reliable, and where the row was
    /// stored before a column was added, whose default the hook does not provide.
    private func oldImage(
        _ db: OpaquePointer, _ watch: TableWatch, _ bindKey: (Statement) throws(StoreError) -> Void
    ) -> RowValues? {
        let count = watch.layout.columnCount
        if watch.layout.isHookFaithful,
            let image = unsafe rowValues(db, sqlite3_preupdate_old, 0..<count, where: { unsafe $0 != missingValue })
        {
            return image
        }
        do {
            try bindKey(watch.select)
            defer { watch.select.reset() }
            return try watch.select.step() ? watch.select.rowValues(from: 0, count: count) : nil
        } catch {
            return nil
        }
    }

    /// What SQLite returns for a column that a stored row does not contain: always this one value.
    private let missingValue = unsafe sqlite3_column_value(nil, 0)

    private typealias PreupdateValue = (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32

    /// The key of the row that is about to change; nil only if SQLite is out of memory.
    private func key(_ db: OpaquePointer, _ value: PreupdateValue, _ columns: [Int]) -> RowValues? {
        unsafe rowValues(db, value, columns) { _ in true }
    }

    /// Whether the columns of the row that is about to be updated will have the values of a key, so
    /// that no copy of them is needed.
    private func isNewKey(_ key: RowValues, _ db: OpaquePointer, _ columns: [Int]) -> Bool {
        for (index, column) in columns.enumerated() {
            var pointer: OpaquePointer?
            guard unsafe sqlite3_preupdate_new(db, Int32(column), &pointer) == SQLITE_OK,
                unsafe key.isSame(index, as: ValueReader(value: pointer, isUTF8: connection.isUTF8))
            else { return false }
        }
        return true
    }

    /// Values of the row that is about to change; nil if SQLite does not provide one, or if one is
    /// not acceptable.
    private func rowValues(
        _ db: OpaquePointer, _ value: PreupdateValue, _ columns: some Collection<Int>,
        where isAcceptable: (OpaquePointer) -> Bool
    ) -> RowValues? {
        unsafe withUnsafeTemporaryAllocation(of: OpaquePointer.self, capacity: columns.count) { values in
            var count = 0
            for column in columns {
                var pointer: OpaquePointer?
                guard unsafe value(db, Int32(column), &pointer) == SQLITE_OK, let pointer = unsafe pointer,
                    unsafe isAcceptable(pointer)
                else { return nil }
                unsafe values.initializeElement(at: count, to: pointer)
                count += 1
            }
            return unsafe RowValues(count: count) {
                unsafe ValueReader(value: values[$0], isUTF8: connection.isUTF8)
            }
        }
    }

    /// False to refuse the commit.
    private func willCommit() -> Bool {
        if connection.hasFailedComparison || connection.movedFileFailureAtCommit != nil { return false }
        for watch in watches where !watch.isEmpty { watch.markCommitted() }
        written.discardAddress()
        recorder?.willCommit()
        didCommit()
        return true
    }

    private func didRollBack() {
        noteRollback()
        connection.endFailedTransaction()
        for watch in watches where !watch.isEmpty { watch.discardUncommitted() }
        written.discardAddress()
        stopRecording()
    }

    // MARK: Recording

    /// Makes a recorder note what the transaction touches that begins, until `stopRecording`, or
    /// until it is rolled back.
    package func record(with recorder: ChangeRecorder) {
        self.recorder = recorder
        setPreupdateHook()
    }

    package func stopRecording() {
        guard recorder != nil else { return }
        recorder = nil
        setPreupdateHook()
    }

    private func record(
        _ db: OpaquePointer, _ operation: Int32, _ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>,
        _ oldRowid: Int64, _ newRowid: Int64
    ) {
        guard let recorder, let watch = unsafe recorder.watch(schema, table) else { return }
        let count = watch.count
        unsafe touch(watch, db, operation, oldRowid, newRowid)
        recorder.noteTouched(watch, since: count)
    }
}

extension ChangeCapture {
    /// The SQLite connections whose hooks are in use. SQLite has one hook of each kind per
    /// connection, so that a connection can't serve two stores.
    nonisolated(unsafe) private static var captured: Set<OpaquePointer> = unsafe []

    /// Notes that the hooks of a connection are in use; false if they are already. Any thread.
    private static func takeHooks(of connection: OpaquePointer) -> Bool {
        ProcessLock.locked { unsafe captured.insert(connection).inserted }
    }

    private static func releaseHooks(of connection: OpaquePointer) {
        _ = unsafe ProcessLock.locked { unsafe captured.remove(connection) }
    }
}
