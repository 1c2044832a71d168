internal import SQLiteKit

/// A list that was fetched and is not shown yet, so that several can be shown together or not at all.
final class PreparedFetch {
    let compiled: CompiledRequest
    let decoder: RowDecoder
    let subscription: Subscription
    let list: List
    /// In a section map: its sections.
    let sections: SectionRows.Prepared?
    /// What told foreign commits apart when the list was read.
    let dataVersion: Connection.DataVersion
    /// Whether there were changes that no list shows yet.
    let isInTransaction: Bool
    /// Whether the list was kept from an earlier fetch, rather than read.
    let isFromCache: Bool

    init(
        compiled: CompiledRequest, decoder: RowDecoder, subscription: Subscription, list: List,
        sections: SectionRows.Prepared?, dataVersion: Connection.DataVersion, isInTransaction: Bool, isFromCache: Bool
    ) {
        self.compiled = compiled
        self.decoder = decoder
        self.subscription = subscription
        self.list = list
        self.sections = sections
        self.dataVersion = dataVersion
        self.isInTransaction = isInTransaction
        self.isFromCache = isFromCache
    }

    /// Forgets it.
    func cancel() {
        subscription.cancel()
        sections?.cancel()
    }
}
