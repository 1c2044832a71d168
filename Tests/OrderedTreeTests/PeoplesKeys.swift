import TestSupport

/// Keys as people's data produces them: a component for each sort value, then the identity.
enum PeoplesKeys: CaseIterable {
    case letters, words, paths, timestamps, tenValues, uuids, composite, longPrefix

    private static let vocabulary = """
        able acid arch army away baby back ball band bank base bath bear beat bell belt bird blow blue boat body bone \
        book bowl burn camp card care case cell chip city club coal coat code cold cook cool copy core cost crew crop \
        dark data date dawn deal dear debt deep desk diet dirt dish dock door down draw dust duty earth east edge face
        """.split(separator: " ").map { Array($0.utf8) }

    /// The key of a row, with another name each time.
    func make(_ id: Int64, _ random: inout SeededRandom) -> [UInt8] {
        switch self {
        case .letters: return text((0..<12).map { _ in letter(&random) }) + rowid(id)
        case .words:
            let number = Array(String(random.below(10_000)).utf8)
            return text(random.pick(Self.vocabulary) + [32] + random.pick(Self.vocabulary) + [32] + number) + rowid(id)
        case .paths:
            var path = Array("/usr/share/doc/packages".utf8)
            for _ in 0..<(2 + random.below(4)) { path += [47] + random.pick(Self.vocabulary.suffix(12)) }
            return text(path + Array("/file\(random.below(400)).html".utf8)) + rowid(id)
        case .timestamps:
            let (day, hour, minute) = (10 + random.below(18), 10 + random.below(14), 10 + random.below(50))
            return text(Array("2026-03-\(day)T\(hour):\(minute):00Z".utf8)) + rowid(id)
        case .tenValues: return number(Double(random.below(10))) + rowid(id)
        case .uuids:
            let digits = Array("0123456789abcdef".utf8)
            return text((0..<36).map { [8, 13, 18, 23].contains($0) ? 45 : digits[random.below(16)] })
        case .composite:
            return number(Double(random.below(40))) + text(random.pick(Self.vocabulary))
                + text(random.pick(Self.vocabulary))
                + rowid(id)
        case .longPrefix:
            let start = [UInt8](repeating: 97, count: 290) + (random.below(3) == 0 ? [98, 99] : [97, 97])
            return text(start + Array(repeating: 120, count: random.below(30)) + Array("\(random.below(500))".utf8))
                + rowid(id)
        }
    }

    private func letter(_ random: inout SeededRandom) -> UInt8 { UInt8(97 + random.below(26)) }

    private func text(_ bytes: [UInt8]) -> [UInt8] { [3] + bytes + [0, 1] }

    private func number(_ value: Double) -> [UInt8] {
        [2] + withUnsafeBytes(of: (value.bitPattern | 1 << 63).bigEndian) { Array($0) }
    }

    private func rowid(_ id: Int64) -> [UInt8] {
        withUnsafeBytes(of: UInt64(bitPattern: id ^ .min).bigEndian) { Array($0) }
    }
}
