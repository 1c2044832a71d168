import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import LogFollower

/// A log whose last commit claims that the database has more pages than the files have room for.
@Suite struct DamagedLogTests {
    private static let pageSize = 4096

    @Test(arguments: [1 << 21, 1 << 22, 1 << 24] as [UInt32]) func pagesThatTheFilesHaveNoRoomForAreUncertain(
        claimed: UInt32
    ) throws {
        let file = TemporaryFile()
        try Self.write(claimed, to: file.path)
        let changes = try Self.follow(file.path)
        #expect(changes == nil)
    }

    /// SQLite does not write new pages that a transaction frees again.
    @Test(arguments: [3, 1000, 1 << 19] as [UInt32]) func pagesThatWereNotWrittenAreNot(claimed: UInt32) throws {
        let file = TemporaryFile()
        try Self.write(claimed, to: file.path)
        let changes = try Self.follow(file.path)
        #expect(changes == [2])
    }

    /// The rowids that another connection changes; nil if they are uncertain.
    private static func follow(_ path: String) throws -> [Int64]? {
        let writer = try Connection.open(path: path, readOnly: false, create: false)
        defer { writer.close() }
        #expect(try writer.rows("SELECT count(*) FROM items") == [[.integer(1)]])
        let database = DatabaseFile(path: path, name: "main", encoding: .utf8)
        let follower = try #require(try LogFollower(database))
        defer { follower.close() }
        try #require(try follower.restart(at: try #require(follower.latest())))
        try writer.execute("INSERT INTO items VALUES (2, 'two')")
        var rowids: [Int64]?
        _ = try follower.advance(to: try #require(follower.latest()), [ExactText("items")]) { changes, _ in
            rowids = changes.flatMap { $0.rowids.map(\.rowid) }
        }
        #expect(follower.counters.uncertain[.pages, default: 0] == (rowids == nil ? 1 : 0))
        return rowids
    }

    /// Writes a database with one row, and a log whose last frame claims a number of pages.
    private static func write(_ claimed: UInt32, to path: String) throws {
        let source = TemporaryFile()
        let connection = try Connection.open(path: source.path, readOnly: false, create: true)
        defer { connection.close() }
        for sql in [
            "PRAGMA page_size = \(pageSize)", "PRAGMA journal_mode = WAL",
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO items VALUES (1, 'one')",
        ] { try connection.execute(sql) }
        let manager = FileManager.default
        var log = [UInt8](try #require(manager.contents(atPath: source.path + "-wal")))
        let frameSize = 24 + pageSize
        set(claimed, at: log.count - frameSize + 4, in: &log)
        sign(&log, frameSize)
        try manager.copyItem(atPath: source.path, toPath: path)
        #expect(manager.createFile(atPath: path + "-wal", contents: Data(log)))
    }

    private static func set(_ word: UInt32, at offset: Int, in bytes: inout [UInt8]) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: word >> (24 - 8 * index)) }
    }

    /// Writes the checksums of all frames
    /// (https://www.sqlite.org/fileformat.html#checksum_algorithm).
    private static func sign(_ log: inout [UInt8], _ frameSize: Int) {
        let isBigEndian = log[3] & 1 == 1
        var (first, second): (UInt32, UInt32) = (0, 0)
        func add(_ range: Range<Int>) {
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
                let bytes = log[offset..<offset + 4]
                let word = (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                if offset / 4 % 2 == range.lowerBound / 4 % 2 {
                    first = first &+ word &+ second
                } else {
                    second = second &+ word &+ first
                }
            }
        }
        add(0..<24)
        for frame in stride(from: 32, to: log.count, by: frameSize) {
            add(frame..<frame + 8)
            add(frame + 24..<frame + frameSize)
            set(first, at: frame + 16, in: &log)
            set(second, at: frame + 20, in: &log)
        }
    }
}
