import SQLiteKit
import Testing

/// Encoded keys compare as SQLite compares the values from which they were made.
@Suite struct KeyEncoderTests {
    static let values: [Value] = [
        .null, .integer(0), .integer(1), .integer(-1), .real(0), .real(-0.0), .real(1), .real(1.5), .real(-1.5),
        .integer(.max), .integer(.min), .integer(.max - 1), .integer(.min + 1), .integer(1 << 53),
        .integer((1 << 53) + 1),
        .real(0x1p53), .real(0x1p63), .real(-0x1p63), .real(1e300), .real(-1e300), .real(.infinity), .real(-.infinity),
        .integer(-(1 << 53) - 1), .integer(-(1 << 53)), .real(-0x1p53), .integer((1 << 62) + 1), .real(0x1p62),
        .real(.leastNonzeroMagnitude), .text(""), .text("a"), .text("A"), .text("b"), .text("ab"), .text("a "),
        .text("a  "), .text("a\u{0}"), .text("a\u{0}b"), .text("A\u{0}c"), .text("a\u{0}bc"), .text("ä"), .text("Z"),
        .text("["), .text("_"), .text("a\u{1}"),
        .text("\u{ff}"), .text("\u{100}"), .text("\u{200}\u{1}"), .text("\u{7ff}"), .text("\u{800}"), .text("\u{d7ff}"),
        .text("\u{e000}"), .text("\u{fffd}"), .text("\u{10000}"), .text("\u{1f600}"), .text("\u{1f600}a"),
        .text("\u{10ffff}"), .text("\u{e000}a"), .text("\u{e9}\u{0}\u{1}"),
        .blob([]), .blob([0]), .blob([0, 0]), .blob([0, 255]), .blob([255]), .blob([97]),
    ]

    @Test(arguments: ["BINARY", "NOCASE", "RTRIM"], ["UTF-8", "UTF-16le", "UTF-16be"])
    func orderEqualsSQLites(collation: String, encoding: String) throws {
        for isDescending in [false, true] { try compare(collation, encoding, isDescending: isDescending) }
    }

    private func compare(_ collation: String, _ encoding: String, isDescending: Bool) throws {
        let connection = try Connection.open(path: ":memory:", readOnly: false, create: true)
        try connection.execute("PRAGMA encoding = '\(encoding)'")
        try connection.readEncoding()
        let compare = try connection.prepare(
            "SELECT ?1 COLLATE \(collation) IS ?2, ?1 COLLATE \(collation) < ?2, typeof(?1), typeof(?2)")
        let component = KeyComponent(collation: try connection.collation(named: collation), isDescending: isDescending)
        for a in Self.values {
            for b in Self.values {
                try compare.bind(a, at: 1)
                try compare.bind(b, at: 2)
                try compare.step()
                let expected: Int
                if compare.integer(0) == 1 {
                    expected = 0
                } else if a.isNull || b.isNull {
                    expected = a.isNull ? -1 : 1
                } else {
                    expected = compare.integer(1) == 1 ? -1 : 1
                }
                compare.reset()
                let found = order(encode(a, component), encode(b, component))
                #expect(found == (isDescending ? -expected : expected), "\(a) against \(b)")
            }
        }
    }

    @Test func nullsAreWhereTheComponentPutsThem() {
        for isDescending in [false, true] {
            for nullsFirst in [false, true] {
                let component = KeyComponent(isDescending: isDescending, nullsFirst: nullsFirst)
                for value in Self.values where !value.isNull {
                    #expect(order(encode(.null, component), encode(value, component)) == (nullsFirst ? -1 : 1))
                }
            }
        }
    }

    @Test func componentsAfterAShorterTextDoNotAffectItsOrder() {
        let ascending = KeyComponent()
        let descending = KeyComponent(isDescending: true)
        for second in [ascending, descending] {
            let a = encode([.text("a"), .text("z")], [ascending, second])
            let b = encode([.text("a\u{0}"), .text("a")], [ascending, second])
            #expect(order(a, b) == -1)
            let c = encode([.text("a"), .null], [descending, second])
            let d = encode([.text("a\u{0}"), .null], [descending, second])
            #expect(order(c, d) == 1)
        }
    }

    /// Before: texts of all lengths up to 40, and one with a zero byte at each place of each.
    /// Change: they are read in one scan. Expected: the keys are those of the same values that were
    /// copied first, whatever the component.
    @Test(arguments: [KeyComponent(), KeyComponent(isDescending: true)])
    func scannedTextsHaveTheKeysOfTheirValues(component: KeyComponent) throws {
        let connection = try Connection.open(path: ":memory:", readOnly: false, create: true)
        try connection.execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)")
        let insert = try connection.prepare("INSERT INTO texts (text) SELECT CAST(?1 AS TEXT)")
        for length in 0...40 {
            let text = (0..<length).map { UInt8($0 % 3 == 0 ? 0xff : $0 % 3 == 1 ? 0x80 : 1) }
            for zero in 0...length {
                try insert.bind(.blob(text.enumerated().map { $0 == zero ? 0 : $1 }), at: 1)
                try insert.run()
            }
        }
        var expected: [[UInt8]] = []
        let copying = try connection.prepare("SELECT id, text FROM texts ORDER BY id")
        while try copying.step() {
            var encoder = KeyEncoder()
            encoder.append(copying.rowValues(from: 1, count: 1), 0, component)
            encoder.append(rowid: copying.integer(0))
            expected.append(encoder.copy())
        }
        var scanned: [[UInt8]] = []
        let scan = KeyScan(
            try connection.prepare("SELECT id, text FROM texts ORDER BY id"),
            section: nil, firstSort: 1, sorts: [component], identity: nil, limit: 7)
        try scan.run {
            $0.forEachRow { _ in
            } row: { _, key in
                scanned.append([UInt8](key))
            }
        }
        #expect(scanned == expected)
        #expect(expected.count == 41 * 42 / 2)
    }

    private func encode(_ value: Value, _ component: KeyComponent) -> [UInt8] { encode([value], [component]) }

    private func encode(_ values: [Value], _ components: [KeyComponent]) -> [UInt8] {
        var encoder = KeyEncoder(capacity: 1)
        let rowValues = RowValues(values)
        for (index, component) in components.enumerated() { encoder.append(rowValues, index, component) }
        return encoder.copy()
    }

    private func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
        a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    }
}
