public import FetchedResults

/// One step of a batch, for list models that apply one change at a time.
public struct ViewStep: Hashable, Sendable {
    /// The change; its places count when all earlier steps are done.
    public let change: SequentialStep
    /// Where the row or section is after all steps, which is where the list shows it; nil if it is
    /// deleted. The path of a section has row 0.
    public let finalPath: ListIndexPath?
}

extension ViewBatch {
    /// The same changes one after another, for views whose options request it. Nothing is left out
    /// here: a section is empty when it is deleted and when it is inserted. But where cells are
    /// updated, there are no steps for updated rows.
    ///
    /// - Parameter rowCount: The number of rows of a section of the new list; asked for each moved
    ///   section if these are to be deletes and inserts.
    /// - Complexity: O(k log k) for k records.
    public func steps(rowCount: (_ section: Int) throws -> Int) rethrows -> [ViewStep] {
        var changes = changes
        if options.sectionMoves == .deletesAndInserts {
            // Steps are about places; whose they are plays no part.
            changes = try changes.replacingSectionMoves { Array(repeating: 0, count: try rowCount($0)) }
        }
        if options.rowMoves == .deletesAndInserts { changes = changes.replacingRowMoves() }
        return changes.sequential().compactMap { step in
            switch step.kind {
            case .section:
                let section = changes.sectionChanges[step.record].newIndex
                return ViewStep(change: step, finalPath: section.map { ListIndexPath(section: $0, row: 0) })
            case .object where updatesCells && step.type == .update: return nil
            case .object: return ViewStep(change: step, finalPath: changes.objectChanges[step.record].newPath)
            }
        }
    }
}
