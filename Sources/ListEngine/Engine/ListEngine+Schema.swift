internal import OrderedTree
internal import SQLiteKit

/// Other ids for the rows of a list, which no row of its new state has.
struct RowRenaming {
    private var newIDs: [Int64: Int64] = [:]
    private var oldIDs: [Int64: Int64] = [:]

    init(_ list: List, _ decoder: KeyDecoder, _ identities: Identities) {
        for index in 0..<list.sectionCount {
            unsafe list.rows.forEachLeaf(in: list.rows.section(at: index)) { ids, _ in
                for id in unsafe Array(ids) {
                    let new = identities.newID(outsideLists: decoder.identityValues(id))
                    newIDs[id] = new
                    oldIDs[new] = id
                }
            }
        }
    }

    func new(_ id: Int64) -> Int64 { newIDs[id] ?? id }
    func old(_ id: Int64) -> Int64 { oldIDs[id] ?? id }
}

/// Following changes of the schema.
extension ListEngine {
    /// The request as it was compiled for what the list shows.
    package var shownCompiled: CompiledRequest { superseded?.decoder.compiled ?? compiled }
    package var shownDecoder: KeyDecoder { superseded?.decoder ?? decoder }

    /// Whether the schema is not the one for which the list was compiled.
    var isOutdated: Bool { get throws { try database.readSchemaVersions() != compiled.plan.schemaVersions } }

    /// The request compiled for a new fetch, which determines its columns again if the schema
    /// changed.
    package func compileForFetch() throws -> CompiledRequest { try isOutdated ? compile(request) : compiled }

    /// Whether the list has to be compiled again for a round, as statements and columns may have
    /// another meaning now. A list that was fetched, or took its request, in a transaction may have
    /// been compiled for a schema that was rolled back.
    func mustRecompile(_ round: Round, _ basis: Basis) throws -> Bool {
        if round.isSchemaChanged || basis == .failure { return true }
        return try (basis == .ahead || round.reread != nil) && isOutdated
    }

    /// Compiles the request for the schema as it is, until the round is committed or dropped.
    /// Columns that the request does not name are determined again.
    func recompile(_ list: List) throws {
        let new = try compile(request)
        watches = try watch(new)
        let old = shownDecoder
        if new.entity.identifiesRows(like: old.compiled.entity) {
            compiled = new
            superseded = (old, nil)
        } else {
            let identities = Identities(new.plan)
            let renaming = RowRenaming(list, decoder, identities)
            decoder = KeyDecoder(compiled: new, identities: identities)
            superseded = (old, renaming)
        }
    }

    /// Returns to the old compiled request.
    func restoreSuperseded() {
        guard let superseded else { return }
        decoder = superseded.decoder
        self.superseded = nil
    }

    /// Makes the new compiled request the one that is shown.
    func commitSuperseded(_ next: PreparedState?) {
        guard let superseded else { return }
        self.superseded = nil
        if superseded.renaming != nil {
            // The contents that the program received are of other rows.
            cache.removeAll()
        } else if !compiled.content.hasColumns(of: superseded.decoder.compiled.content) {
            // The other rows are in the prepared state with their contents in the new columns.
            for id in cache.ids where next?.changes.contents[id]?.new == nil { cache.remove(id) }
        }
    }

    /// An error in reading a row, which the schema may have caused.
    func errorInReading(_ error: any Error) -> any Error {
        guard (error as? StoreError)?.status != .gone, (try? isOutdated) ?? false else { return error }
        return StoreError(.gone, "the schema was changed, and that is not delivered yet")
    }
}
