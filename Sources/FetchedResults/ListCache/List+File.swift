internal import ListEngine
internal import OrderedTree
internal import SQLiteKit

/// A list in a file: its sections, its rows as the index holds them, and their identities where
/// these are not rowids.
extension List {
    /// - Parameter sections: In a section map, the rows by whose numbers the sections are written.
    func write(to file: ListFileWriter, _ identities: Identities, _ sections: SectionRowTable?) {
        file.write(sections?.count ?? 0)
        file.write(sectionCount)
        for index in 0..<sectionCount {
            let section = section(at: index)
            if isMapped {
                file.write(Int64(section.row.flatMap { sections?.rank(of: $0) } ?? -1))
            } else {
                Self.write(section.value, to: file)
            }
            writeRows(of: rows.section(at: index), to: file)
        }
        identities.write(to: file, count: identities.areRowids ? 0 : count) { rows.contains($0) }
    }

    fileprivate static func write(_ rowValues: RowValues, to file: ListFileWriter) {
        file.write(rowValues.count)
        unsafe file.write(rowValues.image.count)
        unsafe file.write(rowValues.image)
    }

    private func writeRows(of section: SectionID, to file: ListFileWriter) {
        var leaves = 0
        unsafe rows.forEachLeaf(in: section) { _, _ in leaves += 1 }
        file.write(leaves)
        unsafe rows.forEachLeafImage(in: section) { leaf in
            unsafe file.write(leaf.ids.count)
            unsafe file.write(leaf.prefix.count)
            file.write(leaf.separatorCount)
            unsafe file.write(leaf.separator.count)
            unsafe file.write(UnsafeRawBufferPointer(leaf.ids))
            unsafe file.write(UnsafeRawBufferPointer(leaf.hashes))
            unsafe file.write(leaf.marks)
            unsafe file.write(leaf.prefix)
            unsafe file.write(leaf.separator)
        }
    }

    /// Reads a list that `write` wrote for the same request. `decoder` receives the identities of
    /// its rows.
    ///
    /// - Parameter sections: In a section map, the rows of its sections in the same state.
    convenience init(
        from file: ListFileReader, _ decoder: KeyDecoder, nodes: NodeSizes, _ sections: SectionRowTable?
    ) throws {
        let compiled = decoder.compiled
        self.init(
            isFlat: compiled.sectionComponent == nil, isMapped: sections != nil, isKeyed: compiled.hasByteKeys,
            nodes: nodes)
        guard try file.count() == sections?.count ?? 0 else { throw ListFileReader.Damaged() }
        for _ in 0..<(try file.count()) {
            if let sections {
                beginSection(try Self.section(try file.integer(), of: sections))
            } else {
                let value = try Self.rowValues(from: file)
                beginSection(try compiled.sectionComponent.map { try Self.section(value, $0) } ?? .flat)
            }
            try appendRows(from: file)
        }
        try rows.finishBulk()
        try decoder.identities.read(from: file, count: compiled.entity.isIdentityRowid ? 0 : count) {
            rows.contains($0)
        }
        guard file.isAtEnd, !isFlat || sectionCount == 1 else { throw ListFileReader.Damaged() }
        // The rows that an offset leaves out are not written.
        if compiled.request.limit != nil, compiled.request.offset == 0 { skipped = RowIDSet() }
    }

    private static func section(_ rank: Int64, of sections: SectionRowTable) throws -> Section {
        if rank == -1 { return .orphans }
        guard rank >= 0, rank < sections.count else { throw ListFileReader.Damaged() }
        let row = sections.row(at: Int(rank))
        guard let known = sections[row] else { throw ListFileReader.Damaged() }
        return known.section
    }

    private static func section(_ value: RowValues, _ component: KeyComponent) throws -> Section {
        guard value.count == 1 else { throw ListFileReader.Damaged() }
        return Section(value: value, key: SectionKey(value, component))
    }

    fileprivate static func rowValues(from file: ListFileReader) throws -> RowValues {
        let count = try file.count()
        guard let rowValues = unsafe RowValues(count: count, image: try file.bytes(try file.count())) else {
            throw ListFileReader.Damaged()
        }
        return rowValues
    }

    private func appendRows(from file: ListFileReader) throws {
        for _ in 0..<(try file.count()) {
            let count = try file.count()
            let prefixCount = try file.count()
            let separatorCount = Int(clamping: try file.number())
            let knownCount = try file.count()
            guard (1...rows.leafLimit).contains(count) else { throw ListFileReader.Damaged() }
            unsafe rows.append(
                LeafImage(
                    ids: try file.values(count, of: Int64.self), hashes: try file.values(count, of: UInt32.self),
                    marks: try file.bytes(count * LeafImage.markSize), prefix: try file.bytes(prefixCount),
                    separatorCount: separatorCount, separator: try file.bytes(knownCount)))
        }
    }
}

extension RankStatistics {
    /// Writes the statistics of a list's ranks, if it has any.
    static func write(_ statistics: RankStatistics?, to file: ListFileWriter) {
        let bytes = statistics?.bytes ?? []
        file.write(bytes.count)
        unsafe bytes.withUnsafeBytes { unsafe file.write($0) }
        file.write(statistics?.written.documents ?? 0)
        file.write(statistics?.written.matches ?? 0)
    }

    /// Reads what `write` wrote.
    static func read(from file: ListFileReader) throws -> RankStatistics? {
        let bytes = unsafe [UInt8](try file.bytes(try file.count()))
        // A damaged number that is greater could overflow with the next documents.
        func count() throws -> Int { Int(min(try file.number(), 1 << 40)) }
        let written = (documents: try count(), matches: try count())
        return bytes.isEmpty ? nil : RankStatistics(bytes, written: written)
    }
}

extension Identities {
    /// Writes the identities of the rows of a list, of which there are `count`.
    fileprivate func write(to file: ListFileWriter, count: Int, isInList: (Int64) -> Bool) {
        file.write(count)
        forEach { id, identity in
            guard isInList(id) else { return }
            file.write(id)
            List.write(identity, to: file)
        }
    }

    /// Reads the identities of the rows of a list, of which there are `count`.
    fileprivate func read(from file: ListFileReader, count: Int, isInList: (Int64) -> Bool) throws {
        guard try file.count() == count else { throw ListFileReader.Damaged() }
        for _ in 0..<count {
            let id = try file.integer()
            let identity = try List.rowValues(from: file)
            guard isInList(id), restore(id, identity, rowCount: count) else { throw ListFileReader.Damaged() }
        }
    }
}
