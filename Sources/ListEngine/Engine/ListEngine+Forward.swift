internal import OrderedTree
package import SQLiteKit

/// Lists that are read through another connection, and updated to the state that this engine's list
/// shows.
extension ListEngine {
    /// Reads a list, and the identities of its rows. Uses nothing but the connection and the
    /// sections of a section map, and so runs on any thread.
    ///
    /// - Parameter request: As `requestToRead` has it.
    package static func read(
        _ request: FetchRequest, _ sections: FetchedSections?, through connection: Connection, nodes: NodeSizes,
        progress: @escaping (Int) -> Bool
    ) throws -> (List, Identities, RankStatistics?) {
        try connection.readEncoding()
        let compiled = try RequestCompiler(connection: connection).compile(request).withPresentStatistics()
        let identities = Identities.of(compiled)
        let reader = ListReader(
            compiled: compiled, decoder: KeyDecoder(compiled: compiled, identities: identities), nodes: nodes,
            progress: progress)
        let list = try sections.map { try reader.read($0.table, $0.options) } ?? reader.read()
        return (list, identities, compiled.statistics)
    }

    /// The list's request, in a section map with the order by sections.
    package var requestToRead: FetchRequest {
        get throws { try mappedSections?.itemsRequest(request) ?? request }
    }

    /// The sections of a section map as they are now, to read its items into them elsewhere; nil if
    /// the list is none. Called in a read transaction. Uses the connection nowhere else, as long as
    /// `canBeReadElsewhere`.
    package func prepareSections() throws -> FetchedSections? {
        try mappedSections?.prepareFetch()
    }

    /// Updates a list that was read in this way, and was never shown, from the state before a round
    /// to the state after it; false if it has to be ranked again for that.
    ///
    /// - Parameters:
    ///   - sections: The sections of a section map, which are the same before and after the round.
    ///   - spells: Whether sections are spelled as when a list is read; the sections of a cached
    ///     list retain their spelling.
    package func bring(
        _ list: List, forwardBy round: Round, _ watches: Watches, _ decoder: KeyDecoder,
        _ sections: FetchedSections?, spells: Bool
    ) throws -> Bool {
        let mapping = sections.map { SectionMapping($0.table, $0.options, list, nil) }
        var update = IncrementalUpdate(self, list, round, watches, mapping, decoder)
        try readTouched(round, watches, &update, decoder)
        if haveRanksDrifted(update.touched, decoder.compiled) { return false }
        try update.applyUnshown()
        decoder.identities.release(update.touched.ids, unless: list.holds)
        if spells, sections == nil { try spellSections(of: list, touchedBy: update.touched, decoder) }
        return true
    }

    /// Spells each section that touched rows left or entered as its first row does, as when a list
    /// is read.
    private func spellSections(
        of list: List, touchedBy touched: RowDictionary<TouchedEntry>, _ decoder: KeyDecoder
    ) throws {
        guard !list.isFlat else { return }
        var sections: Set<SectionID> = []
        for (id, row) in touched {
            if let old = row.oldPlace?.section, list.rows.contains(old) { sections.insert(old) }
            if let new = list.rows.place(of: id)?.section { sections.insert(new) }
        }
        let values = try RequestCompiler(connection: connection).sectionValues(decoder.compiled)
        for section in sections {
            let first = list.rows.row(section: section, at: 0)
            guard let statement = try values?.one(first, decoder) else { continue }
            defer { statement.reset() }
            guard try statement.step() else { continue }
            let value = statement.rowValues(from: values?.firstColumn ?? 0, count: 1)
            list.setSection(section, List.Section(value: value, key: list.section(section).key))
        }
    }
}
