import Foundation
import SQLiteKit
import TestSupport

/// A connection to a database in memory.
func memoryConnection(encoding: String = "UTF-8") throws -> Connection {
    let connection = try Connection.open(path: ":memory:", readOnly: false, create: true)
    try connection.execute("PRAGMA encoding = '\(encoding)'")
    try connection.readEncoding()
    return connection
}

/// A directory that exists as long as the object.
final class Folder {
    private let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("fr-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// The status that a failing call throws; nil if it does not fail.
func status(_ body: () throws -> Void) -> StoreError.Status? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StoreError)?.status
    }
}

/// Values that are close to each other in one order or another.
extension SeededRandom {
    mutating func value() -> Value {
        switch below(10) {
        case 0: .null
        case 1...3: .integer(integer())
        case 4, 5: .real(real())
        case 6...8: .text(text())
        default: .blob(bytes())
        }
    }

    mutating func integer() -> Int64 {
        let edges: [Int64] = [0, 1, -1, 1 << 31, 1 << 53, -(1 << 53), 1 << 62, .max, .min, 255, 32_767]
        return pick(edges) &+ Int64(below(7)) &- 3
    }

    mutating func real() -> Double {
        if chance(50) { return Double(integer()) }
        let edges: [Double] = [
            0, -0.0, 0.5, .leastNonzeroMagnitude, 1e300, -1e300, .infinity, -.infinity, 0x1p53, 0x1p63, -0x1p63, 1e-10,
        ]
        let edge = pick(edges)
        return chance(50) ? edge : edge.nextUp
    }

    mutating func text() -> String {
        let parts = [
            "", "a", "A", "b", "z", "Z", "[", "_", "`", " ", "  ", "\u{0}", "\u{1}", "0", "10", "ä", "Ä", "e\u{301}",
            "é",
            "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}", "\u{ffff}", "\u{10000}", "\u{1f600}",
            "\u{10ffff}",
        ]
        return (0..<below(5)).map { _ in pick(parts) }.joined()
    }

    mutating func bytes() -> [UInt8] { (0..<below(5)).map { _ in pick([0, 1, 97, 254, 255]) } }
}
