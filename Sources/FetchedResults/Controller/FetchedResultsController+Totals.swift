internal import ListEngine
public import SQLiteKit

/// The totals of a list of rows (`FetchRequest.totals`), which belong to the state that it shows. A
/// list of groups shows its totals as columns.
extension FetchedResultsController {
    /// The totals of the whole list, in the order of the request; of a list with a limit or an
    /// offset, of the rows that it shows. None for a request without totals. O(1).
    public var totals: [Value] { get throws { try values(section: nil) } }

    /// The totals of a section, in the same order; of an empty one, those of no rows. O(log n).
    public func totals(ofSection index: Int) throws -> [Value] { try values(section: index) }

    /// One total of the whole list, or of a section. Throws `notFound` if the request has no total
    /// of that name.
    public func total(_ name: String, ofSection index: Int? = nil) throws -> Value {
        let list = try shownList()
        guard let number = engine.totalNames.firstIndex(where: { isSameName($0, name) }) else {
            throw StoreError(.notFound, "the request has no total named \(name)")
        }
        return try engine.totals(list, section: index)?.value(number) ?? .null
    }

    private func values(section index: Int?) throws -> [Value] {
        let list = try shownList()
        if let index { _ = try list.checkedSection(index) }
        return try engine.totals(list, section: index)?.values ?? []
    }
}
