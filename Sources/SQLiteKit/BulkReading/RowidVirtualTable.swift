internal import CSQLite

/// A virtual table of rowids, through which one statement reads many rows:
/// `FROM fetchedresults_rowids CROSS JOIN t WHERE t.rowid = fetchedresults_rowid`.
///
/// A list of parameters (`IN (?, ?, ...)`) would do the same, but SQLite builds a B-tree of it each
/// time, which costs about a tenth of reading the rows
/// (https://www.sqlite.org/vtab.html#eponymous_virtual_tables).
///
/// Safe except for `append`: it owns its memory, and SQLite retains the table as long as it is
/// registered.
@safe package final class RowidVirtualTable: Registration {
    package static let name = "fetchedresults_rowids"
    /// One that predicates don't contain, as they can leave out the name of their table.
    package static let columnName = "fetchedresults_rowid"

    /// In plain memory, because SQLite iterates over it.
    fileprivate private(set) var ids: UnsafeMutablePointer<Int64>
    fileprivate private(set) var count = 0
    private var capacity: Int

    fileprivate init() {
        capacity = 32
        unsafe ids = .allocate(capacity: capacity)
    }

    deinit { unsafe ids.deallocate() }

    package func removeAll() { count = 0 }

    /// Adds a rowid. Unsafe while a statement iterates over the table, because the cursor has the
    /// addresses of the rowids.
    @unsafe package func append(_ id: Int64) {
        if count == capacity { grow() }
        unsafe (ids + count).initialize(to: id)
        count += 1
    }

    private func grow() {
        let larger = UnsafeMutablePointer<Int64>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: ids, count: count)
        unsafe ids.deallocate()
        unsafe ids = larger
        capacity *= 2
    }

    func register(with connection: Connection) throws(StoreError) {
        let code = unsafe sqlite3_create_module_v2(
            connection.handle, Self.name, rowidModule, Unmanaged.passRetained(self).toOpaque(),
            { data in
                if let data = unsafe data { unsafe Unmanaged<RowidVirtualTable>.fromOpaque(data).release() }
            })
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    func remove(from connection: Connection) {
        unsafe sqlite3_create_module_v2(connection.handle, Self.name, nil, nil, nil)
    }
}

extension Connection {
    /// The connection's table of rowids. The first use registers it.
    package func rowidTable() throws(StoreError) -> RowidVirtualTable {
        try registration { RowidVirtualTable() }
    }
}

/// The methods of the table that SQLite calls. Without `xCreate` the table exists in every
/// database, and no statement can create another one. SQLite stores the address, so it is allocated
/// once and never freed.
nonisolated(unsafe) private let rowidModule: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    unsafe module.xConnect = { db, data, _, _, out, _ in
        // SQLite does not disconnect a table that failed to connect.
        let code = unsafe sqlite3_declare_vtab(db, "CREATE TABLE rowids (\(RowidVirtualTable.columnName) INTEGER)")
        guard code == SQLITE_OK else { return code }
        let table = UnsafeMutablePointer<fr_rowid_table>.allocate(capacity: 1)
        unsafe table.initialize(to: fr_rowid_table(base: sqlite3_vtab(), rowids: data))
        unsafe out?.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }
    unsafe module.xDisconnect = { table in
        unsafe UnsafeMutableRawPointer(table)?.deallocate()
        return SQLITE_OK
    }
    unsafe module.xBestIndex = { _, info in
        unsafe info?.pointee.estimatedCost = 20
        unsafe info?.pointee.estimatedRows = 20
        return SQLITE_OK
    }
    unsafe module.xOpen = { _, out in
        let cursor = UnsafeMutablePointer<fr_rowid_cursor>.allocate(capacity: 1)
        unsafe cursor.initialize(to: fr_rowid_cursor())
        unsafe out?.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }
    unsafe module.xClose = { cursor in
        unsafe UnsafeMutableRawPointer(cursor)?.deallocate()
        return SQLITE_OK
    }
    unsafe module.xFilter = { cursor, _, _, _, _ in
        guard
            let table = unsafe UnsafeMutableRawPointer(cursor?.pointee.pVtab)?.assumingMemoryBound(
                to: fr_rowid_table.self),
            let data = unsafe table.pointee.rowids
        else { return SQLITE_INTERNAL }
        unsafe Unmanaged<RowidVirtualTable>.fromOpaque(data)._withUnsafeGuaranteedRef { rowids in
            unsafe place(cursor)?.pointee.next = UnsafePointer(rowids.ids)
            unsafe place(cursor)?.pointee.end = UnsafePointer(rowids.ids + rowids.count)
        }
        return SQLITE_OK
    }
    unsafe module.xNext = { cursor in
        unsafe place(cursor)?.pointee.next += 1
        return SQLITE_OK
    }
    unsafe module.xEof = { cursor in
        unsafe place(cursor).map { unsafe $0.pointee.next == $0.pointee.end } ?? true ? 1 : 0
    }
    unsafe module.xColumn = { cursor, context, _ in
        if let next = unsafe place(cursor)?.pointee.next { unsafe sqlite3_result_int64(context, next.pointee) }
        return SQLITE_OK
    }
    unsafe module.xRowid = { cursor, out in
        if let next = unsafe place(cursor)?.pointee.next { unsafe out?.pointee = next.pointee }
        return SQLITE_OK
    }
    let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    unsafe pointer.initialize(to: module)
    return unsafe UnsafePointer(pointer)
}()

/// The position of a cursor.
private func place(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<fr_rowid_cursor>? {
    unsafe UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: fr_rowid_cursor.self)
}
