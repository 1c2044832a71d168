internal import Glibc

/// The rows of one watched table that were touched since the last delivery.
///
/// A touched row is kept with its *old image*: all its columns as they were when it was first touched, which is as the
/// lists show it; nil if it did not exist, or if it can't be told. Later touches of the same row add nothing, and a
/// savepoint that takes a touch back leaves a row behind that turns out to be unchanged.
package final class TableWatch {
    package let schema: String
    package let table: String
    /// The names as SQLite's hooks have them.
    private let hookNames: (schema: [CChar], table: [CChar])
    let layout: ImageLayout

    /// The touched rows of a table with rowids.
    package struct Rowids {
        package fileprivate(set) var all: [Int64] = []
        package fileprivate(set) var images: [RowValues?] = []
        /// By rowid; empty as long as the rows are so few that they are quicker looked through.
        private var indexes: [Int64: Int] = [:]

        private static var unindexedLimit: Int { 8 }

        fileprivate func index(of rowid: Int64) -> Int? {
            all.count <= Self.unindexedLimit ? all.firstIndex(of: rowid) : indexes[rowid]
        }

        package func image(of rowid: Int64) -> RowValues?? { index(of: rowid).map { images[$0] } }

        /// Adds a row unless it is there. False if it is added without an image.
        @discardableResult
        fileprivate mutating func touch(_ rowid: Int64, image: @autoclosure () -> RowValues?) -> Bool {
            guard index(of: rowid) == nil else { return true }
            let image = image()
            all.append(rowid)
            images.append(image)
            if all.count == Self.unindexedLimit + 1 {
                for (index, rowid) in all.enumerated() { indexes[rowid] = index }
            } else if all.count > Self.unindexedLimit {
                indexes[rowid] = all.count - 1
            }
            return image != nil
        }

        /// Adds a row, or gives it another image.
        fileprivate mutating func note(_ rowid: Int64, image: RowValues?) {
            if let index = index(of: rowid) { images[index] = image } else { touch(rowid, image: image) }
        }

        fileprivate mutating func removeLast() {
            indexes[all.removeLast()] = nil
            images.removeLast()
            if all.count <= Self.unindexedLimit { indexes = [:] }
        }
    }

    /// The touched rows of a table WITHOUT ROWID, by the values of their key.
    package struct Keys {
        package fileprivate(set) var all: [RowValues] = []
        package fileprivate(set) var images: [RowValues?] = []
        fileprivate var indexes: [[UInt8]: Int] = [:]

        /// Adds a row unless it is there. False if it is added without an image.
        @discardableResult
        fileprivate mutating func touch(_ key: RowValues, image: @autoclosure () -> RowValues?) -> Bool {
            let bytes = TableWatch.bytes(of: key)
            guard indexes[bytes] == nil else { return true }
            let image = image()
            indexes[bytes] = all.count
            all.append(key)
            images.append(image)
            return image != nil
        }

        /// Adds a row, or gives it another image.
        fileprivate mutating func note(_ key: RowValues, image: RowValues?) {
            if let index = indexes[TableWatch.bytes(of: key)] {
                images[index] = image
            } else {
                touch(key, image: image)
            }
        }
    }

    private var rows = TouchedRows()
    /// Counts all touches, those of rows that were touched before among them.
    package private(set) var touchCount = 0
    /// How many of the touched rows were committed: those that a rollback must not forget.
    private var committedRowids = 0
    private var committedKeys = 0

    /// Selects a row by its row key.
    let select: Statement

    init(schema: String, table: String, layout: ImageLayout, select: Statement) {
        self.select = select
        self.schema = schema
        self.table = table
        hookNames = (Array(schema.utf8CString), Array(table.utf8CString))
        self.layout = layout
    }

    /// Whether a hook means this table.
    func isNamed(_ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) -> Bool {
        unsafe strcmp(table, hookNames.table) == 0 && strcmp(schema, hookNames.schema) == 0
    }

    package var rowids: Rowids { rows.rowids }
    package var keys: Keys { rows.keys }
    package var isEmpty: Bool { rows.count == 0 }

    /// Notes a row that was there before.
    func touch(rowid: Int64, image: @autoclosure () -> RowValues?) {
        touchCount &+= 1
        if !rows.rowids.touch(rowid, image: image()) { rows.lacksImage = true }
    }

    func touch(key: RowValues, image: @autoclosure () -> RowValues?) {
        touchCount &+= 1
        if !rows.keys.touch(key, image: image()) { rows.lacksImage = true }
    }

    /// Notes a row that comes to be.
    func touch(newRowid: Int64) {
        touchCount &+= 1
        rows.rowids.touch(newRowid, image: nil)
    }

    func touch(newKey: RowValues) {
        touchCount &+= 1
        rows.keys.touch(newKey, image: nil)
    }

    fileprivate static func bytes(of key: RowValues) -> [UInt8] {
        var encoder = KeyEncoder()
        for index in 0..<key.count { encoder.append(key, index, KeyComponent()) }
        return encoder.copy()
    }

    /// The columns of a row as they are now; nil if it is not there.
    package func currentValues(of row: TouchedRows.Row) throws(StoreError) -> RowValues? {
        switch row {
        case .rowid(let rowid, _): try select.bind(rowid, at: 1)
        case .key(let key, _): for index in 0..<key.count { try select.bind(key, index, at: index + 1) }
        }
        defer { select.reset() }
        return try select.step() ? select.rowValues(from: 0, count: layout.columnCount) : nil
    }

    func markCommitted() {
        committedRowids = rows.rowids.all.count
        committedKeys = rows.keys.all.count
    }

    /// Forgets what was touched since the last commit.
    func forgetUncommitted() {
        while rows.rowids.all.count > committedRowids { rows.rowids.removeLast() }
        while rows.keys.all.count > committedKeys {
            rows.keys.indexes[Self.bytes(of: rows.keys.all.removeLast())] = nil
            rows.keys.images.removeLast()
        }
    }

    func removeAll() {
        rows = TouchedRows()
        committedRowids = 0
        committedKeys = 0
    }
}

extension TableWatch {
    /// The touched rows as a value, and an empty watch from here on.
    func take() -> TouchedRows {
        defer { removeAll() }
        return rows
    }

    /// Puts rows back that were taken, as touched by the transaction that is open.
    func restore(_ rows: TouchedRows) { self.rows = rows }

    /// Has committed rows take the place of all that were touched.
    func replaceAll(with rows: TouchedRows) {
        self.rows = rows
        touchCount &+= rows.count
        markCommitted()
    }

    /// Adds committed rows of which only the keys are known. What any row showed before is then not known: the images
    /// are those of states in between.
    func add(_ keyed: [KeyedRow]) {
        var rows = rows.withoutImages
        rows.add(TouchedRows(keyed))
        replaceAll(with: rows)
    }
}

/// A row by what it was known by when it was touched.
package struct KeyedRow {
    /// nil for a row of a table WITHOUT ROWID.
    let rowid: Int64?
    /// The values of the declared key; nil if the rowid is all.
    let key: RowValues?

    package init(rowid: Int64?, key: RowValues?) {
        self.rowid = rowid
        self.key = key
    }
}

/// The rows of one table that were touched by the transactions of one delivery.
package struct TouchedRows {
    package fileprivate(set) var rowids = TableWatch.Rowids()
    package fileprivate(set) var keys = TableWatch.Keys()
    /// The declared keys that rows of a table with rowids had when they were touched, beside their rowids: those of
    /// rows without images that may be gone.
    package private(set) var formerKeys: [(rowid: Int64, key: RowValues)] = []
    /// Whether the images of the rows are known, as far as they can be.
    package private(set) var hasImages = true
    /// Whether a row was there before of which no image could be had.
    package fileprivate(set) var lacksImage = false

    package init() {}

    /// A row with what it was before.
    package enum Row {
        case rowid(Int64, image: RowValues?)
        case key(RowValues, image: RowValues?)

        package var image: RowValues? {
            switch self {
            case .rowid(_, let image), .key(_, let image): image
            }
        }
    }

    package var all: [Row] {
        zip(rowids.all, rowids.images).map { .rowid($0, image: $1) }
            + zip(keys.all, keys.images).map { .key($0, image: $1) }
    }

    /// Adds a row unless it is there.
    package mutating func add(_ row: Row) {
        switch row {
        case .rowid(let rowid, let image): rowids.touch(rowid, image: image)
        case .key(let key, let image): keys.touch(key, image: image)
        }
    }

    /// Rows of which nothing is known but their keys.
    package init(_ rows: [KeyedRow]) {
        hasImages = false
        for row in rows {
            switch (row.rowid, row.key) {
            case (let rowid?, let key):
                rowids.touch(rowid, image: nil)
                if let key { formerKeys.append((rowid, key)) }
            case (nil, let key?): keys.touch(key, image: nil)
            case (nil, nil): break
            }
        }
    }

    /// The rows without what they were before.
    package var withoutImages: TouchedRows {
        var rows = self
        rows.rowids.images = Array(repeating: nil, count: rowids.all.count)
        rows.keys.images = Array(repeating: nil, count: keys.all.count)
        rows.hasImages = false
        return rows
    }

    /// Notes a row that differs from what the lists show. A later note of the same row has the image that counts.
    mutating func note(_ row: NotedRow) {
        switch row {
        case .rowid(let rowid, let image): rowids.note(rowid, image: image)
        case .key(let key, let image): keys.note(key, image: image)
        }
    }

    package var count: Int { rowids.all.count + keys.all.count }

    /// Adds rows that were touched later. A row that was touched before keeps its image.
    package mutating func add(_ later: TouchedRows) {
        hasImages = hasImages && later.hasImages
        lacksImage = lacksImage || later.lacksImage
        formerKeys += later.formerKeys
        for (rowid, image) in zip(later.rowids.all, later.rowids.images) { rowids.touch(rowid, image: image) }
        for (key, image) in zip(later.keys.all, later.keys.images) { keys.touch(key, image: image) }
    }

    /// Whether the row with a row key (a rowid, or the values of the key) was touched.
    package func contains(_ rowKey: RowValues) -> Bool {
        if !rowids.all.isEmpty { return rowids.index(of: rowKey.integer(0)) != nil }
        return keys.indexes[TableWatch.bytes(of: rowKey)] != nil
    }
}

/// How the rows of a table are read when they are about to change.
package struct ImageLayout {
    /// The number of columns.
    let columnCount: Int
    /// Whether the preupdate hook's values are what a SELECT would say. In SQLite 3.40 they are not for a table with
    /// virtual generated columns, which it numbers otherwise, and for one WITHOUT ROWID that has REAL columns, of which
    /// it looks at the wrong one's affinity.
    let isHookFaithful: Bool
    /// Selects all columns of a row by its row key.
    let select: String
    /// For a table WITHOUT ROWID: its key's columns as old and inserted rows number them, and as updated rows do.
    let key: (columns: [Int], updatedColumns: [Int])?
    /// How the columns are stored; nil if some are not.
    let record: RecordLayout?
    /// For a table WITHOUT ROWID: how its key's columns are stored.
    let recordKey: RecordLayout?

    package init(
        columnCount: Int, isHookFaithful: Bool, select: String, key: (columns: [Int], updatedColumns: [Int])?,
        record: RecordLayout? = nil, recordKey: RecordLayout? = nil
    ) {
        self.columnCount = columnCount
        self.isHookFaithful = isHookFaithful
        self.select = select
        self.key = key
        self.record = record
        self.recordKey = recordKey
    }
}
