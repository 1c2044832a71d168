package import ChangeSets
package import SQLiteKit

/// The origin of a fetched list.
package enum FetchOrigin {
    case database
    /// It was cached in the present state.
    case cache
    /// It was cached in an earlier state, and updated to the present one.
    case earlierCache
}

/// A list that was fetched and is not shown yet, so that several can be shown together or not at
/// all.
package final class FetchedState {
    let compiled: CompiledRequest
    let decoder: KeyDecoder
    let watches: Watches
    let list: List
    /// In a section map: its sections.
    let sections: FetchedSections?
    /// The data version of the state in which the list was read.
    let dataVersion: Connection.DataVersion
    /// The changes that it shows and that no round has delivered.
    package let undelivered: ChangeOrigin
    package let origin: FetchOrigin
    /// Holds the state readable until it is delivered.
    let ahead: (any ShownState)?
    /// In a list of groups: these, as they were read.
    var groups: GroupedRows?

    /// In a section map: whether the rows of its sections were cached in the present state.
    package var areSectionsCached: Bool { sections?.fetch?.origin == .cache }

    package init(
        compiled: CompiledRequest, decoder: KeyDecoder, watches: Watches, list: List,
        sections: FetchedSections?, dataVersion: Connection.DataVersion, undelivered: ChangeOrigin,
        origin: FetchOrigin, ahead: (any ShownState)?
    ) {
        self.compiled = compiled
        self.decoder = decoder
        self.watches = watches
        self.list = list
        self.sections = sections
        self.dataVersion = dataVersion
        self.undelivered = undelivered
        self.origin = origin
        self.ahead = ahead
    }

    /// The same in a later state, in which the list is unchanged.
    func unchanged(in version: Connection.DataVersion) -> FetchedState {
        FetchedState(
            compiled: compiled, decoder: decoder, watches: watches, list: list, sections: sections,
            dataVersion: version, undelivered: undelivered, origin: origin, ahead: nil)
    }

    /// Discards it.
    package func cancel() {
        groups?.dropFetch()
        watches.cancel()
        sections?.cancel()
    }
}
