internal import ChangeSets
internal import SQLiteKit

/// Lists whose rows are groups.
extension ListEngine {
    /// The watches of the tables whose rounds the list follows.
    package var followedWatches: Watches? { groups == nil ? watches : groups?.watches }

    /// Whether the rows are groups, which only the store's own connection reads.
    package var isGrouped: Bool { groups != nil }

    /// The changes that the list shows, if it is read now, and that no round has delivered.
    var undelivered: ChangeOrigin { get throws { try groups?.undelivered ?? database.undelivered } }

    /// A round as the list's own table takes part in it, and the basis there.
    func ownRound(_ round: Round, _ basis: Basis) throws -> (Round, Basis) {
        // The round's differences begin at an earlier state than the one that the list shows.
        guard let groups else { return (basis == .ahead ? round.asReread : round, basis) }
        let changed = try groups.follow(round, on: basis)
        let own = round.reread == .request ? changed.rereading(.request) : changed
        return (own, basis == .ahead ? .committed : basis)
    }

    /// Whether two requests show the same groups alike.
    func showsAlike(_ request: FetchRequest, as other: FetchRequest) -> Bool {
        guard let groups else { return false }
        return groups.tableRequest(request).isSame(as: groups.tableRequest(other))
    }
}

extension Round {
    /// The round for a list that is read again.
    fileprivate func rereading(_ reason: RereadReason) -> Round { Round(touched, from: origin, reread: reason) }
}
