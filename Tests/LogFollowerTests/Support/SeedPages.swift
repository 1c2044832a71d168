import Foundation
import SQLiteKit

@testable import LogFollower

// The fuzzer is compiled with the sources of these instead.
#if canImport(TestSupport)
    import TestSupport
#endif

/// Pairs of states that SQLite has written, for tests that damage them.
enum SeedPages {
    /// The tables have few rows, and most rows continue in overflow pages.
    static func pair(seed: UInt64) throws -> PagePair {
        var random = SeededRandom(seed: seed)
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("pages-\(UUID().uuidString).db").path
        let connection = try Connection.open(path: path, readOnly: false, create: true)
        defer {
            connection.close()
            try? FileManager.default.removeItem(atPath: path)
        }
        for sql in [
            "PRAGMA page_size = \(PagePair.pageSize)", "PRAGMA auto_vacuum = \(random.below(3))",
            "PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF",
            "CREATE TABLE rows (id INTEGER PRIMARY KEY, a, r REAL, x)",
            "CREATE TABLE pairs (a, b, r REAL, x, PRIMARY KEY (a, b)) WITHOUT ROWID", "CREATE INDEX by_a ON rows (a)",
        ] { try connection.execute(sql) }
        for _ in 0..<1 + random.below(8) { try write(connection, &random) }
        let old = pages(path)
        for _ in 0..<1 + random.below(3) { try write(connection, &random) }
        let new = pages(path)
        let roots = try connection.rows("SELECT rootpage FROM sqlite_schema ORDER BY rowid")
        let written = new.indices.filter { $0 >= old.count || old[$0] != new[$0] }
        return PagePair(
            old, roots: roots.map { row in if case .integer(let page) = row[0] { UInt32(page) } else { 0 } },
            written: written.map { (UInt32($0 + 1), new[$0]) }, pageCount: new.count)
    }

    private static func write(_ connection: Connection, _ random: inout SeededRandom) throws {
        let (id, size) = (random.below(12), random.pick([0, 10, 100, 400, 600, 2000]))
        try connection.execute(
            random.pick([
                "INSERT OR REPLACE INTO rows VALUES (\(id), \(random.below(9)), 0.5, zeroblob(\(size)))",
                "INSERT OR REPLACE INTO rows VALUES (\(id), 'text', NULL, hex(zeroblob(\(size))))",
                "INSERT OR REPLACE INTO pairs VALUES (\(id), 'k', 1, randomblob(\(size)))",
                "UPDATE rows SET x = randomblob(length(x)) WHERE id >= \(id)",
                "DELETE FROM rows WHERE id = \(id)", "DELETE FROM pairs WHERE a < \(id)",
            ]))
    }

    /// The pages of a file. Reading it releases locks of this process on it, which no one has.
    private static func pages(_ path: String) -> [[UInt8]] {
        let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
        return stride(from: 0, to: bytes.count, by: PagePair.pageSize).map { Array(bytes[$0..<$0 + PagePair.pageSize]) }
    }

    /// Changes some places as damage or an attacker could.
    static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0..<1 + random.below(8) {
            let place = random.below(bytes.count)
            switch random.below(6) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] = random.pick([0, 1, 2, 5, 10, 13, 0x7f, 0x80, 0xff])
            case 2: bytes[place] ^= 1 << UInt8(random.below(8))
            // A number of nine bytes.
            case 3:
                for index in place..<min(place + 9, bytes.count) {
                    bytes[index] = random.chance(70) ? 0xff : UInt8.random(in: 0x80...0xff, using: &random)
                }
            // The number of a page.
            case 4:
                for (index, byte) in [0, 0, 0, UInt8(random.below(20))].enumerated() where place + index < bytes.count {
                    bytes[place + index] = byte
                }
            // A part of another place.
            default:
                let (source, count) = (random.below(bytes.count), 1 + random.below(64))
                let part = Array(bytes[source..<min(source + count, bytes.count)])
                for (index, byte) in part.enumerated() where place + index < bytes.count { bytes[place + index] = byte }
            }
        }
    }
}
