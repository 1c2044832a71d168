import SQLiteKit
import TestSupport
import Testing

/// Random tables, sorted by SQLite and by encoded keys.
@Suite struct RandomOrderTests {
    /// Some columns of a table, each with an order.
    private struct Order {
        var terms: [String] = []
        var components: [KeyComponent] = []

        init(columns: [String], _ connection: Connection, _ random: inout SeededRandom) throws {
            for column in columns.shuffled(using: &random).prefix(1 + random.below(columns.count)) {
                let name = random.pick(["BINARY", "NOCASE", "RTRIM", "C.UTF-8"])
                let (isDescending, nullsFirst) = (random.chance(50), random.chance(50))
                terms.append(
                    "\(column) COLLATE \(quoted(name)) \(isDescending ? "DESC" : "ASC") NULLS \(nullsFirst ? "FIRST" : "LAST")"
                )
                components.append(
                    KeyComponent(
                        collation: try connection.collation(named: name), isDescending: isDescending,
                        nullsFirst: nullsFirst))
            }
        }

        /// The columns alone, in the order of the terms.
        var columns: String { terms.map { $0.prefix { $0 != " " } }.joined(separator: ", ") }
    }

    private func connection(_ random: inout SeededRandom) throws -> Connection {
        let connection = try memoryConnection(encoding: random.pick(["UTF-8", "UTF-16le", "UTF-16be"]))
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)")
        let insert = try connection.prepare("INSERT INTO t (a, b, c) VALUES (?, ?, ?)")
        for _ in 0..<(20 + random.below(60)) {
            try insert.bind([random.value(), random.value(), random.value()])
            try insert.run()
        }
        return connection
    }

    @Test(arguments: RandomTests.seeds(1..<60))
    func keysSortAsSQLiteSorts(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let connection = try connection(&random)
        for _ in 0..<6 {
            let order = try Order(columns: ["a", "b", "c"], connection, &random)
            let sorted = try connection.rows("SELECT id FROM t ORDER BY \(order.terms.joined(separator: ", ")), id")
            let statement = try connection.prepare("SELECT id, \(order.columns) FROM t")
            var keys: [(id: Int64, key: [UInt8])] = []
            let sorter = KeySorter()
            while try statement.step() {
                var fromStatement = KeyEncoder(capacity: 1)
                var fromRecord = KeyEncoder(capacity: 1)
                let rowValues = statement.rowValues(from: 1, count: order.components.count)
                for (index, component) in order.components.enumerated() {
                    statement.encode(index + 1, component, into: &fromStatement)
                    fromRecord.append(rowValues, index, component)
                }
                fromStatement.append(rowid: statement.integer(0))
                fromRecord.append(rowid: statement.integer(0))
                #expect(fromStatement.copy() == fromRecord.copy())
                fromStatement.withBytes { bytes in
                    let middle = random.below(bytes.count + 1)
                    sorter.append(
                        UnsafeRawBufferPointer(rebasing: bytes[..<middle]),
                        UnsafeRawBufferPointer(rebasing: bytes[middle...]),
                        id: statement.integer(0), hash: KeyHash.hash32(bytes), tag: 0)
                }
                keys.append((statement.integer(0), fromStatement.copy()))
            }
            keys.sort { $0.key.lexicographicallyPrecedes($1.key) }
            let comment = Comment(rawValue: "\(RandomTests.replay(seed, "RandomOrder")): \(order.terms)")
            #expect(keys.map { .integer($0.id) } == sorted.map { $0[0] }, comment)
            var ids: [Int64] = []
            sorter.forEachSorted { id, _, _, _ in ids.append(id) }
            #expect(ids == keys.map(\.id), comment)
        }
    }

    /// A list is read either row by row or by the row collector. Both return the same ids, keys and
    /// sections.
    @Test(arguments: RandomTests.seeds(1..<40))
    func scansReadTheRowsInChunks(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let connection = try connection(&random)
        let order = try Order(columns: ["b", "c"], connection, &random)
        let section = KeyComponent(
            collation: try connection.collation(named: random.pick(["BINARY", "NOCASE", "RTRIM", "C.UTF-8"])))
        let terms = "a COLLATE \(quoted(section.collation.name)), " + order.terms.joined(separator: ", ")
        let columns = "id, a, \(order.columns)"
        let expected = try connection.rows("SELECT \(columns) FROM t ORDER BY \(terms), id")
        let from = "FROM (SELECT \(columns) FROM t ORDER BY \(terms), id LIMIT -1)"
        for isCollected in [false, true] {
            let collector = try connection.rowCollector()
            let sql =
                isCollected
                ? "SELECT 1 \(from) WHERE \(RowCollector.functionName)(\(columns))" : "SELECT \(columns) \(from)"
            let limit = 1 + random.below(30)
            let scan = KeyScan(
                try connection.prepare(sql), section: (1, section), firstSort: 2, sorts: order.components,
                identity: nil, limit: limit)
            var rows: [(id: Int64, key: [UInt8], section: SectionKey)] = []
            var sectionKey = SectionKey.empty
            let read = { (chunk: inout KeyChunk) in
                #expect(chunk.count <= limit)
                chunk.hashKeys()
                let (ids, hashes) = (chunk.ids, chunk.hashes)
                chunk.forEachRow { boundary in
                    sectionKey = boundary.key
                } row: { row, key in
                    rows.append((ids[row], [UInt8](key), sectionKey))
                    #expect(hashes[row] == KeyHash.hash32(key))
                }
            }
            if isCollected { try scan.run(collector, read) } else { try scan.run(read) }
            let comment = Comment(
                rawValue: "\(RandomTests.replay(seed, "RandomOrder")), collected: \(isCollected), \(terms)")
            #expect(rows.map { .integer($0.id) } == expected.map { $0[0] }, comment)
            for (row, values) in zip(rows, expected) {
                let rowValues = RowValues(values)
                var key = KeyEncoder()
                for (index, component) in order.components.enumerated() { key.append(rowValues, index + 2, component) }
                key.append(rowid: rowValues.integer(0))
                #expect(row.key == key.copy(), comment)
                #expect(row.section == SectionKey(RowValues([values[1]]), section), comment)
            }
        }
    }

    /// Before: rows whose identity is a column, or the rowid where that is NULL. Change: a scan,
    /// row by row or by the row collector. Expected: each chunk has the rows' identities, as parts
    /// of their keys and packed.
    @Test(arguments: RandomTests.seeds(1..<40))
    func scansReadIdentities(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let connection = try connection(&random)
        let component = KeyComponent(collation: try connection.collation(named: random.pick(["BINARY", "NOCASE"])))
        let isNullable = random.below(3) > 0
        let columns = isNullable ? [2, 0] : [2]
        let identity = IdentityColumns(columns, [component, KeyComponent()], isNullable: isNullable)
        let expected = try connection.rows("SELECT id, a, b FROM t")
        for isCollected in [false, true] {
            let collector = try connection.rowCollector()
            let sql =
                isCollected
                ? "SELECT 1 FROM t WHERE \(RowCollector.functionName)(id, a, b)" : "SELECT id, a, b FROM t"
            let scan = KeyScan(
                try connection.prepare(sql), section: nil, firstSort: 1, sorts: [KeyComponent()], identity: identity,
                limit: 1 + random.below(30))
            var rows: [(key: [UInt8], identity: [UInt8], packed: [UInt8])] = []
            let read = { (chunk: inout KeyChunk) in
                let first = rows.count
                chunk.forEachIdentity { row, key, packed in
                    #expect(row == rows.count - first)
                    rows.append(([], [UInt8](key), [UInt8](packed)))
                }
                chunk.forEachRow(boundary: { _ in }) { row, key in rows[first + row].key = [UInt8](key) }
            }
            if isCollected { try scan.run(collector, read) } else { try scan.run(read) }
            try #require(rows.count == expected.count)
            for (row, values) in zip(rows, expected) {
                let rowValues = RowValues(values)
                var key = RowValues.Part(rowValues, 1).encoded(KeyComponent())
                var identity = KeyEncoder()
                identity.append(rowValues, 2, component)
                var packed: [UInt8] = []
                if isNullable, rowValues.storageClass(2) == .null {
                    identity.append(rowid: rowValues.integer(0))
                    RowValues(rowValues, columns: [2, 0]).packIdentity(isRowid: true, into: &packed)
                } else {
                    RowValues(rowValues, columns: [2]).packIdentity(isRowid: false, into: &packed)
                }
                key += identity.copy()
                let comment = Comment(rawValue: "\(RandomTests.replay(seed, "RandomOrder")), \(values)")
                #expect(row.key == key, comment)
                #expect(row.identity == identity.copy(), comment)
                #expect(row.packed == packed, comment)
            }
        }
    }

    /// Before: rows with random rowids, some in sections. Change: a scan that leaves out the keys,
    /// which consist of the rowids alone. Expected: ids, sections and hashes are those of a scan
    /// that encodes the keys.
    @Test(arguments: RandomTests.seeds(1..<20))
    func rowidKeysCanBeLeftOut(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let connection = try memoryConnection()
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)")
        for _ in 0..<random.below(60) {
            let id = random.pick([Int64.min, -1, 0, 7, .max]) &+ Int64(random.below(40))
            try connection.execute("INSERT OR IGNORE INTO t VALUES (\(id), \(random.below(3)))")
        }
        let hasSections = random.below(2) == 0
        let order = hasSections ? "a, id" : "id"
        let collector = try connection.rowCollector()
        let limit = 1 + random.below(20)
        func rows(isCollected: Bool, omitsKeys: Bool) throws -> [[Int64]] {
            let sql =
                isCollected
                ? "SELECT 1 FROM t WHERE \(RowCollector.functionName)(id, a) ORDER BY \(order)"
                : "SELECT id, a FROM t ORDER BY \(order)"
            // Without an index SQLite sorts, and calls the function before.
            let inOrder = isCollected && hasSections ? "CREATE INDEX IF NOT EXISTS i ON t (a)" : ""
            if !inOrder.isEmpty { try connection.execute(inOrder) }
            let scan = KeyScan(
                try connection.prepare(sql), section: hasSections ? (1, KeyComponent()) : nil, firstSort: 2, sorts: [],
                identity: nil, omitsRowidKeys: omitsKeys, limit: limit)
            var rows: [[Int64]] = []
            var section: Int64 = -1
            let read = { (chunk: inout KeyChunk) in
                #expect(chunk.omitsKeys == omitsKeys)
                chunk.hashKeys(mask: 0xffff)
                let (ids, hashes) = (chunk.ids, chunk.hashes)
                chunk.forEachRun {
                    section = $0.value.integer(0)
                } rows: { run in
                    for row in run { rows.append([ids[row], Int64(hashes[row]), section]) }
                }
            }
            if isCollected { try scan.run(collector, read) } else { try scan.run(read) }
            return rows
        }
        let expected = try rows(isCollected: false, omitsKeys: false)
        #expect(
            expected.map { $0[0] }
                == (try connection.rows("SELECT id FROM t ORDER BY \(order)")).map { row in
                    if case .integer(let id) = row[0] { id } else { 0 }
                })
        for isCollected in [false, true] {
            #expect(try rows(isCollected: isCollected, omitsKeys: true) == expected, "seed \(seed)")
        }
    }

    @Test func aFailingChunkEndsTheScan() throws {
        let connection = try memoryConnection()
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        for id in 1...20 { try connection.execute("INSERT INTO t VALUES (\(id))") }
        struct Stop: Error {}
        let collector = try connection.rowCollector()
        for isCollected in [false, true] {
            let sql = isCollected ? "SELECT 1 FROM t WHERE \(RowCollector.functionName)(id)" : "SELECT id FROM t"
            let scan = KeyScan(
                try connection.prepare(sql), section: nil, firstSort: 1, sorts: [], identity: nil, limit: 7)
            for _ in 0..<2 {
                var chunks = 0
                let read = { (_: inout KeyChunk) in
                    chunks += 1
                    if chunks == 2 { throw Stop() }
                }
                #expect(throws: Stop.self) {
                    if isCollected { try scan.run(collector, read) } else { try scan.run(read) }
                }
                #expect(chunks == 2)
            }
        }
        // The function takes rows only while a scan collects.
        #expect(status { _ = try connection.rows("SELECT \(RowCollector.functionName)(1)") } != nil)
    }

    @Test(arguments: RandomTests.seeds(1..<4))
    func ordersThatOnlySQLiteCanApply(seed: UInt64) throws {
        let connection = try memoryConnection()
        // By length, then in reverse order.
        try connection.addCollation("turned") { a, b in
            a.count != b.count
                ? Int32(a.count - b.count) : a.lexicographicallyPrecedes(b) ? 1 : a.elementsEqual(b) ? 0 : -1
        }
        #expect(try connection.collation(named: "turned") == .custom("turned"))
        #expect(throws: StoreError.self) { try connection.collation(named: "nowhere to be found") }
        var random = SeededRandom(seed: seed)
        let values = RowValues((0..<40).map { _ in random.value() })
        for isDescending in [false, true] {
            let component = KeyComponent(collation: .custom("turned"), isDescending: isDescending)
            let order = try ValueOrder(component, connection)
            for a in 0..<values.count {
                for b in 0..<values.count {
                    let rows = try connection.rows(
                        "SELECT n FROM (SELECT 0 AS n, ?1 AS v UNION ALL SELECT 1, ?2) ORDER BY v COLLATE turned "
                            + (isDescending ? "DESC" : "ASC") + ", n", [values.value(a), values.value(b)])
                    let isAfter = try order.compare(values, a, values, b) > 0
                    let comment = Comment(
                        rawValue: "\(RandomTests.replay(seed, "RandomOrder")): \(values.value(a)), \(values.value(b))")
                    #expect(isAfter == (rows[0][0] == .integer(1)), comment)
                }
            }
        }
    }
}
