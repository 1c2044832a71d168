import SQLiteKit
import TestSupport
import Testing

@Suite struct RecordTests {
    /// Values stay the same through SQLite, a packed record and the image of row values.
    @Test(arguments: RandomTests.seeds(1..<80))
    func valuesStayTheSame(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let encoding = random.pick(["UTF-8", "UTF-16le"])
        let connection = try memoryConnection(encoding: encoding)
        // SQLite stores U+FFFF, which is not a character, as U+FFFD in UTF-16 (READ_UTF8 in its
        // utf.c).
        let values = (0..<random.below(12)).map { _ in random.value() }.filter {
            encoding == "UTF-8" || $0.text?.unicodeScalars.contains("\u{ffff}") != true
        }
        let rowValues = RowValues(values)
        #expect(rowValues.values == values)
        if !values.isEmpty {
            let statement = try connection.prepare("SELECT " + values.map { _ in "?" }.joined(separator: ", "))
            for index in 0..<rowValues.count { try statement.bind(rowValues, index, at: index + 1) }
            #expect(try statement.step())
            let read = statement.rowValues(from: 0, count: values.count)
            #expect(read.values == values && read.fingerprint == rowValues.fingerprint)
            let columns = (0..<values.count).map { _ in random.below(values.count) }
            #expect(statement.rowValues(columns: columns).values == columns.map { values[$0] })
            #expect(RowValues(rowValues, columns: columns).values == columns.map { values[$0] })
        }
        var packed: [UInt8] = [7]
        rowValues.pack(into: &packed)
        let end = packed.count
        packed += [1, 2, 3]
        packed.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            #expect(RowValues.packedCount(at: start + 1) == end - 1)
            #expect(RowValues(packed: start + 1).values == values)
        }
        #expect(RowValues(count: rowValues.count, image: rowValues.image)?.values == values)
        for (a, one) in values.enumerated() {
            for (b, other) in values.enumerated() {
                let isSameZero = one == other && one.real == 0 && "\(one)" != "\(other)"
                #expect(rowValues.isSame(a, as: rowValues, b) == (one == other && !isSameZero))
            }
        }
    }

    /// Bytes that are not a record are refused, or are another record, and are never read beyond
    /// their end.
    @Test(arguments: RandomTests.seeds(1..<60))
    func damagedImagesAreNotReadBeyondTheirEnd(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 {
            let rowValues = RowValues((0..<(1 + random.below(5))).map { _ in random.value() })
            var image = [UInt8](rowValues.image)
            for _ in 0..<(1 + random.below(3)) {
                if random.chance(20), !image.isEmpty {
                    image.removeLast(1 + random.below(image.count))
                } else if !image.isEmpty {
                    image[random.below(image.count)] = UInt8(random.below(256))
                }
            }
            let count = random.chance(20) ? random.pick([-1, 0, 1 << 40, .max, rowValues.count + 1]) : rowValues.count
            // A copy of exactly this size, so that a sanitizer or valgrind detects reads beyond its
            // end.
            let damaged = image.withUnsafeBytes { RowValues(count: count, image: $0) }
            if let damaged { #expect(damaged.values.count == count) }
        }
    }

    /// The text of a value is that to which SQLite casts it.
    @Test(arguments: RandomTests.seeds(1..<60))
    func textIsWhatSQLiteCastsTo(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let connection = try memoryConnection()
        for _ in 0..<30 {
            let value = random.value()
            // For a blob that is not a text SQLite only reports that it is a blob.
            if value.blob != nil { continue }
            let cast = try connection.rows("SELECT CAST(? AS TEXT)", [value])[0][0]
            #expect(RowValues([value]).text(0) == cast.text, "\(RandomTests.replay(seed, "RowValues")): \(value)")
        }
    }

    @Test func valuesAreEqualByContent() {
        #expect(Value.integer(1) != .real(1))
        #expect(Value.text("e\u{301}") != .text("é"))
        #expect(Set<Value>([.text("e\u{301}"), .text("é"), .text("é"), .blob([]), .text(""), .null]).count == 5)
        #expect(Value.text("it's").description == "'it''s'" && Value.blob([0, 255]).description == "x'00ff'")
    }
}
