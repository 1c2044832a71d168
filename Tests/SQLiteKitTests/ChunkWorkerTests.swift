import CSQLite
import Glibc
import SQLiteKit
import TestSupport
import Testing

/// Rows of a scan that are processed on another thread.
@Suite struct ChunkWorkerTests {
    /// Before: a table of some rows. Change: a scan passes them to a worker, collected or stepped.
    /// Expected: each row is processed once, in order and with its section, and all of them have
    /// been when `run` returns; few rows are processed on the calling thread, the later ones of
    /// many on another.
    @Test(arguments: [0, 1, 6, 7, 111, 112, 113, 5000], [false, true])
    func rowsAreProcessedInOrder(count: Int64, isCollected: Bool) throws {
        let (connection, scan) = try scan(count, isCollected: isCollected)
        var rows: [Int64] = []
        var keys: [[UInt8]] = []
        var sections: [Int64] = []
        var isElsewhere: [Bool] = []
        let caller = pthread_self()
        try run(scan, connection, isCollected) { chunk in
            usleep(UInt32(rows.count % 3) * 50)
            isElsewhere.append(pthread_equal(pthread_self(), caller) == 0)
            let ids = chunk.ids
            chunk.forEachRow {
                sections.append($0.value.integer(0))
            } row: { row, key in
                rows.append(ids[row])
                keys.append([UInt8](key))
            }
        }
        #expect(rows == Array(1..<(count + 1)))
        #expect(
            keys
                == rows.map { id in
                    var key = KeyEncoder()
                    key.append(RowValues([.text("n\(id)")]), 0, KeyComponent())
                    key.append(rowid: id)
                    return key.copy()
                })
        #expect(sections == Array(0..<((count + 9) / 10)))
        #expect(isElsewhere.prefix(16).allSatisfy { !$0 })
        if sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 { #expect(isElsewhere.dropFirst(16).allSatisfy { $0 }) }
    }

    /// Before: a table of 5,000 rows. Change: processing fails at each of the first chunks in turn.
    /// Expected: the scan ends with that error, no later chunk is processed, and no statement is
    /// under way.
    @Test(arguments: [false, true]) func aFailureOfTheWorkerEndsTheScan(isCollected: Bool) throws {
        struct Stop: Error {}
        for failing in [1, 2, 16, 17, 18, 20, 25] {
            let (connection, scan) = try scan(5000, isCollected: isCollected)
            var chunks = 0
            #expect(throws: Stop.self) {
                try run(scan, connection, isCollected) { _ in
                    chunks += 1
                    if chunks == failing { throw Stop() }
                }
            }
            #expect(chunks == failing)
            try connection.execute("DROP TABLE t")
        }
    }

    /// Before: a table of 5,000 rows. Change: reading fails after some of them. Expected: the
    /// error, after the rows that were read have been processed.
    @Test(arguments: [false, true]) func aFailureOfTheScanEndsTheWorker(isCollected: Bool) throws {
        struct Stop: Error {}
        for failing in [1, 16, 17, 18, 40] {
            let (connection, scan) = try scan(5000, isCollected: isCollected)
            var (passed, processed) = (0, 0)
            #expect(throws: Stop.self) {
                try ChunkWorker.run(scan) { pass in
                    try read(scan, connection, isCollected) { chunk in
                        if passed == failing { throw Stop() }
                        passed += 1
                        try pass(&chunk)
                    }
                } process: { _ in
                    processed += 1
                }
            }
            #expect(passed == failing && processed == failing)
        }
    }

    /// A scan of the numbers from 1 to `count`, with names, ten of which are in each section.
    private func scan(_ count: Int64, isCollected: Bool) throws -> (Connection, KeyScan) {
        let connection = try memoryConnection()
        try connection.execute(
            """
            CREATE TABLE t AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            SELECT i AS id, (i - 1) / 10 AS section, 'n' || i AS name FROM n WHERE i <= \(count)
            """)
        _ = try connection.rowCollector()
        let columns = "id, section, name"
        let sql =
            isCollected
            ? "SELECT 1 FROM t WHERE \(RowCollector.functionName)(\(columns))" : "SELECT \(columns) FROM t"
        let scan = KeyScan(
            try connection.prepare(sql), section: (1, KeyComponent()), firstSort: 2, sorts: [KeyComponent()],
            identity: nil, limit: 7)
        return (connection, scan)
    }

    private func run(
        _ scan: KeyScan, _ connection: Connection, _ isCollected: Bool, _ process: (inout KeyChunk) throws -> Void
    ) throws {
        try ChunkWorker.run(scan) { pass in
            try read(scan, connection, isCollected) { try pass(&$0) }
        } process: {
            try process(&$0)
        }
    }

    private func read(
        _ scan: KeyScan, _ connection: Connection, _ isCollected: Bool, _ body: (inout KeyChunk) throws -> Void
    ) throws {
        if isCollected { try scan.run(connection.rowCollector(), body) } else { try scan.run(body) }
    }
}
