/// A section of a list of lists, as change sets are replayed on: a value of its own, and its rows.
public struct ReplayedSection<Section, Row> {
    public var value: Section
    public var rows: [Row]

    public init(_ value: Section, _ rows: [Row] = []) {
        self.value = value
        self.rows = rows
    }
}

extension ReplayedSection: Equatable where Section: Equatable, Row: Equatable {}
extension ReplayedSection: Sendable where Section: Sendable, Row: Sendable {}
