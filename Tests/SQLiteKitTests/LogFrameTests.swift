import Foundation
import TestSupport
import Testing

@testable import SQLiteKit

/// The frames of a write-ahead log are written by one call each, and none of them too late.
@Suite struct LogFrameTests {
    /// A file in memory that counts the writes.
    private final class MemoryFile {
        var bytes: [UInt8] = []
        var writes = 0

        func write(_ source: UnsafeRawPointer, _ count: Int32, _ offset: Int64) -> Int32 {
            writes += 1
            write(Array(UnsafeRawBufferPointer(start: source, count: Int(count))), at: Int(offset))
            return 0
        }

        func write(_ new: [UInt8], at offset: Int) {
            if bytes.count < offset + new.count {
                bytes.append(contentsOf: repeatElement(0, count: offset + new.count - bytes.count))
            }
            bytes.replaceSubrange(offset..<offset + new.count, with: new)
        }
    }

    private static func write(
        _ bytes: [UInt8], at offset: Int, _ joiner: inout FrameJoiner, _ file: MemoryFile
    ) -> Int32 {
        bytes.withUnsafeBytes {
            joiner.write($0.baseAddress!, Int32(bytes.count), at: Int64(offset), through: file.write)
        }
    }

    @Test func headersAreWrittenWithTheirPages() {
        var joiner = FrameJoiner()
        let file = MemoryFile()
        for (bytes, offset) in [(32, 0), (24, 32), (512, 56), (24, 568), (512, 592)] {
            #expect(Self.write(Array(repeating: UInt8(offset & 255), count: bytes), at: offset, &joiner, file) == 0)
        }
        #expect(file.writes == 3)
        #expect(file.bytes.count == 1104)
    }

    /// As SQLite does it before a commit that has overwritten frames.
    @Test func aHeaderThatWasReadBeforeIsWrittenAlone() {
        var joiner = FrameJoiner()
        let file = MemoryFile()
        for (bytes, offset) in [(32, 0), (24, 32), (512, 56)] {
            #expect(Self.write(Array(repeating: 1, count: bytes), at: offset, &joiner, file) == 0)
        }
        for offset in [568, 32] {
            #expect(joiner.flush(through: file.write) == 0)
            joiner.noteRead(at: Int64(offset))
            #expect(Self.write(Array(repeating: 2, count: 24), at: offset, &joiner, file) == 0)
            #expect(file.bytes.dropFirst(offset).prefix(24) == Array(repeating: 2, count: 24)[...])
        }
    }

    @Test func aFailedWriteIsReported() {
        var joiner = FrameJoiner()
        let file = MemoryFile()
        #expect(Self.write(Array(repeating: 1, count: 32), at: 0, &joiner, file) == 0)
        let header = [UInt8](repeating: 2, count: 24)
        #expect(Self.write(header, at: 32, &joiner, file) == 0)
        #expect(file.writes == 1)
        #expect(joiner.flush { _, _, _ in 13 } == 13)
        // What follows a failed write is written immediately.
        #expect(Self.write(header, at: 56, &joiner, file) == 0)
        #expect(file.writes == 2)
    }

    @Test(arguments: 0..<50) func theFileIsThatOfTheSameWrites(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var joiner = FrameJoiner()
        let (file, plain) = (MemoryFile(), MemoryFile())
        var end = 0
        for _ in 0..<200 {
            if random.chance(20) {
                let offset = random.chance(50) ? end : random.below(5000)
                #expect(joiner.flush(through: file.write) == 0)
                #expect(file.bytes == plain.bytes)
                joiner.noteRead(at: Int64(offset))
            } else {
                let offset = random.chance(80) ? end : random.below(5000)
                let bytes = [UInt8](
                    repeating: UInt8(random.below(256)), count: random.chance(50) ? 24 : 1 + random.below(600))
                #expect(Self.write(bytes, at: offset, &joiner, file) == 0)
                plain.write(bytes, at: offset)
                end = offset + bytes.count
            }
        }
        #expect(joiner.flush(through: file.write) == 0)
        #expect(file.bytes == plain.bytes)
    }

    /// After each commit, what the kernel has of the database and the log is the committed state.
    /// No savepoint is rolled back: after that SQLite 3.40 itself commits frames with wrong
    /// checksums, if it had written pages before.
    @Test(arguments: 0..<12) func nothingOfACommitWaits(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let file = TemporaryFile()
        let connection = try Connection.open(path: file.path, readOnly: false, create: true)
        defer { connection.close() }
        for pragma in [
            "page_size = \(random.pick([512, 1024, 4096, 65_536]))", "journal_mode = WAL",
            "synchronous = \(random.pick(["OFF", "NORMAL", "FULL"]))",
            // A small cache writes pages before the commit, and overwrites their frames.
            "cache_size = \(random.pick([1, 5, 1000]))", "wal_autocheckpoint = \(random.pick([0, 20, 1000]))",
        ] {
            try connection.execute("PRAGMA \(pragma)")
        }
        try connection.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        try connection.execute("CREATE INDEX items_by_name ON items (name)")
        for _ in 0..<20 {
            try connection.execute("BEGIN")
            for _ in 0..<1 + random.below(6) { try change(connection, &random) }
            try connection.execute(random.chance(15) ? "ROLLBACK" : "COMMIT")
            if random.chance(15) {
                try connection.execute("PRAGMA wal_checkpoint(\(random.pick(["PASSIVE", "RESTART", "TRUNCATE"])))")
            }
            #expect(try rows(ofCopyOf: file) == rows(connection))
        }
    }

    private func change(_ connection: Connection, _ random: inout SeededRandom) throws {
        let name = "substr(hex(randomblob(100)), 1, \(1 + random.below(200)))"
        switch random.below(4) {
        case 0:
            try connection.execute(
                "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(1 + random.below(60))) "
                    + "INSERT INTO items (name) SELECT \(name) FROM n")
        case 1: try connection.execute("UPDATE items SET name = \(name) WHERE id % \(1 + random.below(7)) = 0")
        case 2: try connection.execute("UPDATE items SET name = \(name)")
        default: try connection.execute("DELETE FROM items WHERE id % \(2 + random.below(5)) = 0")
        }
    }

    private func rows(_ connection: Connection) throws -> [String] {
        #expect(try texts("PRAGMA integrity_check", connection) == ["ok"])
        return try texts("SELECT id || ' ' || name FROM items ORDER BY id", connection)
    }

    private func texts(_ sql: String, _ connection: Connection) throws -> [String] {
        let statement = try connection.prepare(sql)
        defer { statement.reset() }
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0)) }
        return texts
    }

    /// A copy has no index of the log: SQLite reads the log from its beginning, and checks it.
    private func rows(ofCopyOf file: TemporaryFile) throws -> [String] {
        let copy = TemporaryFile()
        for suffix in ["", "-wal"] {
            // Reading the file releases locks of this process on it, which no other one uses.
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
        }
        let connection = try Connection.open(path: copy.path, readOnly: false, create: false)
        defer { connection.close() }
        return try rows(connection)
    }
}
