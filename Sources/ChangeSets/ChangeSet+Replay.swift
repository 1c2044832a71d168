extension ChangeSet {
    /// Replays the change set on the old list and returns the new one. This defines the meaning of
    /// a change set, and checks it.
    ///
    /// The order of the records has no influence. Linear in the length of the list.
    ///
    /// - Parameters:
    ///   - section: the value of an inserted, moved or updated section. Its arguments are the
    ///     record and, except for an insert, the old value.
    ///   - row: the same for rows. It may throw, for example if the old value is not the one that
    ///     the record describes.
    /// - Throws: `ReplayError` if a record is impossible: a place that does not exist, the same
    ///   place twice, a deleted section that still has rows, a reload. Also what the closures
    ///   throw.
    public func applied<Section, Row>(
        to old: [ReplayedSection<Section, Row>],
        section: (SectionChange, Section?) throws -> Section,
        row: (ObjectChange, Row?) throws -> Row
    ) throws -> [ReplayedSection<Section, Row>] {
        guard !isReload else { throw ReplayError(reason: "a reload has no records to replay") }
        var list = old
        try checkOldPlacesOfUpdates(old)
        let taken = try takeOutRows(from: &list)
        try exchangePlaces(of: &list, section)
        try putInRows(into: &list, taken, row)
        for change in sectionUpdates {
            let index = change.rawNew
            guard list.indices.contains(index) else { throw change.impossible("no such section") }
            list[index].value = try section(change, list[index].value)
        }
        for change in updates {
            let path = change.rawNew
            guard list.contains(path) else { throw change.impossible("no such new row") }
            list[path.section].rows[path.row] = try row(change, list[path.section].rows[path.row])
        }
        return list
    }

    private func checkOldPlacesOfUpdates<Section, Row>(_ old: [ReplayedSection<Section, Row>]) throws {
        for change in sectionUpdates where !old.indices.contains(change.rawOld) {
            throw change.impossible("no such old section")
        }
        for change in updates where !old.contains(change.rawOld) { throw change.impossible("no such old row") }
    }

    /// Removes deleted and moved rows. Returns the moved ones, by their new paths.
    private func takeOutRows<Section, Row>(
        from list: inout [ReplayedSection<Section, Row>]
    ) throws -> [ListIndexPath: Row] {
        let leaving = (Array(deletes) + moves).sorted { $0.rawOld < $1.rawOld }
        var moved: [ListIndexPath: Row] = [:]
        for run in leaving.runs(bySection: \.rawOld.section) {
            guard let first = run.first else { continue }
            let section = first.rawOld.section
            guard list.indices.contains(section) else { throw first.impossible("no such old section") }
            let (rest, taken) = list[section].rows.taking(run.map(\.rawOld.row))
            guard taken.count == run.count else {
                throw first.impossible("old row missing or taken twice, here or after")
            }
            list[section].rows = rest
            for (change, row) in zip(run, taken) where change.type == .move { moved[change.rawNew] = row }
        }
        return moved
    }

    /// Removes deleted and moved sections, and inserts inserted and moved ones.
    private func exchangePlaces<Section, Row>(
        of list: inout [ReplayedSection<Section, Row>], _ value: (SectionChange, Section?) throws -> Section
    ) throws {
        let leaving = (sectionDeletes + sectionMoves).sorted { $0.rawOld < $1.rawOld }
        let (rest, taken) = list.taking(leaving.map(\.rawOld))
        guard taken.count == leaving.count else {
            throw ReplayError(reason: "a deleted or moved section is missing or taken twice: \(leaving)")
        }
        var moved: [Int: ReplayedSection<Section, Row>] = [:]
        for (change, section) in zip(leaving, taken) {
            if change.type == .move {
                moved[change.rawNew] = section
            } else if !section.rows.isEmpty {
                throw change.impossible("it still has rows: \(section.rows.count)")
            }
        }
        let arriving = (sectionInserts + sectionMoves).sorted { $0.rawNew < $1.rawNew }
        var sections: [ReplayedSection<Section, Row>] = []
        for change in arriving {
            let before = change.type == .move ? moved[change.rawNew] : nil
            sections.append(ReplayedSection(try value(change, before?.value), before?.rows ?? []))
        }
        guard let woven = rest.putting(sections, at: arriving.map(\.rawNew)) else {
            throw ReplayError(reason: "an inserted or moved section has no place: \(arriving)")
        }
        list = woven
    }

    private func putInRows<Section, Row>(
        into list: inout [ReplayedSection<Section, Row>], _ moved: [ListIndexPath: Row],
        _ value: (ObjectChange, Row?) throws -> Row
    ) throws {
        let arriving = (Array(inserts) + moves).sorted { $0.rawNew < $1.rawNew }
        for run in arriving.runs(bySection: \.rawNew.section) {
            guard let first = run.first else { continue }
            let section = first.rawNew.section
            guard list.indices.contains(section) else { throw first.impossible("no such new section") }
            let rows = try run.map { try value($0, $0.type == .move ? moved[$0.rawNew] : nil) }
            guard let woven = list[section].rows.putting(rows, at: run.map(\.rawNew.row)) else {
                throw first.impossible("new row beyond the end or taken twice, here or after")
            }
            list[section].rows = woven
        }
    }
}

extension SectionChange {
    fileprivate func impossible(_ reason: String) -> ReplayError { ReplayError(reason: "\(self): \(reason)") }
}

extension ObjectChange {
    fileprivate func impossible(_ reason: String) -> ReplayError { ReplayError(reason: "\(self): \(reason)") }
}

/// A section of a list of lists on which change sets are replayed: a value of its own, and its
/// rows.
public struct ReplayedSection<Section, Row> {
    /// The value that the program stores for the section itself.
    public var value: Section
    /// The values that the program stores for the section's rows, in order.
    public var rows: [Row]

    /// A section with a value of its own and its rows.
    public init(_ value: Section, _ rows: [Row] = []) {
        self.value = value
        self.rows = rows
    }
}

extension ReplayedSection: Equatable where Section: Equatable, Row: Equatable {}
extension ReplayedSection: Sendable where Section: Sendable, Row: Sendable {}

/// A change set, or a step of one, is impossible on the list on which it was replayed.
public struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, and the record that has it.
    public let reason: String

    /// The reason, for a log.
    public var description: String { reason }
}
