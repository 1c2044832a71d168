internal import ListEngine
internal import SQLiteKit

/// Determines which rounds can update a list that was read in an earlier state and was never shown.
struct Forwarding {
    let compiled: CompiledRequest
    let watches: Watches
    /// In a section map: its sections.
    let sections: FetchedSections?

    /// The tables on which the list depends.
    var tables: [TableWatch] {
        var seen: Set<ObjectIdentifier> = []
        return (watches.all + (sections?.watches?.all ?? [])).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Whether the list can be updated with a round.
    func follows(_ round: Round) -> Bool {
        if round.reread != nil || compiled.dependencies.isAnyWrite { return false }
        // Sections that changed are read again, with their items.
        if let rows = sections?.watches, rows.isAnyWrite || touches(rows.all, round) { return false }
        if touches(watches.opaque + watches.words, round) { return false }
        if watches.related.contains(where: { round.rows(of: $0.watch)?.hasImages == false }) { return false }
        return compiled.isIncremental || !touches(watches.all, round)
    }

    private func touches(_ watches: [TableWatch], _ round: Round) -> Bool {
        watches.contains { round.rows(of: $0) != nil }
    }

    /// Whether to change a list rather than to read it again, as at a delivery.
    static func isWorth(_ rowCount: Int, in list: List, _ compiled: CompiledRequest) -> Bool {
        let many = compiled.many
        return rowCount <= many.least || rowCount <= list.count / many.share
    }
}
