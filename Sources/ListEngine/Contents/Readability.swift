internal import SQLiteKit

/// Which rows can be read from the database in the state that a list shows.
package struct Readability {
    /// Rows that may show something else in the database than in the list.
    package var missed = MissedRows()
    /// Set for a list that was fetched when changes were not delivered yet.
    package var earlier: EarlierContents?
    /// Set for a list that was fetched when there were changes that no round had delivered. It
    /// counts until the next round.
    package var ahead: Ahead?

    /// Describes a list that is ahead of the state that a store's lists show.
    package final class Ahead {
        /// The data version of the fetched state.
        let fetched: Connection.DataVersion
        /// A reader of the fetched state; nil if nothing shows it.
        let state: (any ShownState)?

        init(fetched: Connection.DataVersion, state: (any ShownState)?) {
            self.fetched = fetched
            self.state = state
        }
    }

    init() {}

    /// Discards the contents: the list shows other columns now.
    mutating func discardContents() {
        if earlier == nil { return }
        earlier = nil
        missed.noteAll()
    }

    /// Whether each row can be read.
    var isUnlimited: Bool { missed.isEmpty && earlier == nil && ahead == nil }

    /// Set for a list that was fetched in a state with the data version `fetched`.
    init(fetched: Connection.DataVersion, _ state: (any ShownState)?, _ database: any DatabaseState) {
        guard fetched != database.dataVersion || state != nil else { return }
        ahead = Ahead(fetched: fetched, state: state)
    }
}

/// Rows that may have changed in rounds in which their list stayed as it was: paused, or unable to
/// follow. Their old contents are known only as far as they were read then.
package struct MissedRows {
    private var ids: Set<Int64> = []
    private var isAll = false

    /// Above this number, rows are not distinguished.
    private static let limit = 10_000

    var isEmpty: Bool { ids.isEmpty && !isAll }

    func contains(_ id: Int64) -> Bool { isAll || ids.contains(id) }

    mutating func noteAll() { isAll = true }

    /// Notes the rows that a round touches in a list of rowids; in other lists the ids that they
    /// had are not known. A round of the list's own, in which it catches up, touches nothing.
    mutating func note(_ round: Round, _ watches: Watches?, _ compiled: CompiledRequest) {
        if round.reread == .pause || round.reread == .request { return }
        guard let watches, let entity = watches.entity, compiled.entity.isIdentityRowid, round.reread == nil,
            compiled.content.imageColumns != nil
                || !watches.related.contains(where: { round.rows(of: $0.watch) != nil })
        else { return isAll = true }
        guard let rows = round.rows(of: entity) else { return }
        ids.formUnion(rows.rowids.all)
        if ids.count > Self.limit { isAll = true }
    }
}
