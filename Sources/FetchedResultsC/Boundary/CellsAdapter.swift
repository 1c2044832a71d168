internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

/// Passes what a data source needs of the program on to C callbacks: cells are pointers of the program's own.
final class CellsAdapter: CellView, CellConfigurator, SupplementaryView, SupplementaryConfigurator {
    typealias Cell = UnsafeMutableRawPointer?
    typealias Item = FetchedObject?
    typealias Supplementary = UnsafeMutableRawPointer?

    private let callbacks: fr_cells
    private let userData: UserData
    private let identifier: String
    /// Whether nothing may be called any more.
    private var isEnded = false

    /// - Parameter identifier: For objects of which the program names none.
    init(_ callbacks: fr_cells, _ userData: UserData, identifier: String = defaultReuseIdentifier) {
        self.callbacks = callbacks
        self.userData = userData
        self.identifier = identifier
    }

    func end() { isEnded = true }

    var showsVisibleCells: Bool { callbacks.visible_cell != nil }

    /// Lends an object to the program; nil stays NULL.
    private func lending<Result>(_ object: FetchedObject?, _ body: (OpaquePointer?) -> Result) -> Result {
        let handle = object.flatMap { try? newObjectHandle($0) }
        defer { HandleTable.release(handle, .object) }
        return body(handle)
    }

    // MARK: Cells

    func reuseIdentifier(for item: FetchedObject?, at path: ListIndexPath) -> String {
        guard !isEnded, let callback = callbacks.reuse_identifier else { return identifier }
        let named = lending(item) { callback($0, fr_index_path(path), userData.pointer).map { String(cString: $0) } }
        return named ?? identifier
    }

    func dequeueCell(_ identifier: String, at path: ListIndexPath) -> Cell {
        guard !isEnded, let callback = callbacks.dequeue else { return nil }
        let name = CString(identifier)
        return withExtendedLifetime(name) { callback(name.pointer, fr_index_path(path), userData.pointer) }
    }

    func visibleCell(at path: ListIndexPath) -> Cell? {
        guard !isEnded, let cell = callbacks.visible_cell?(fr_index_path(path), userData.pointer) else { return nil }
        return cell
    }

    func configure(_ cell: Cell, with item: FetchedObject?, at path: ListIndexPath) {
        guard !isEnded, let cell else { return }
        if let callback = callbacks.configure {
            return lending(item) { callback(cell, $0, fr_index_path(path), userData.pointer) }
        }
        (HandleTable.find(OpaquePointer(cell), .cell) as? CellBox)?.object = item
    }

    // MARK: Supplementary views

    func reuseIdentifier(forSupplementaryOfKind kind: String, at path: ListIndexPath) -> String {
        guard !isEnded, let callback = callbacks.supplementary_identifier else { return kind }
        let name = CString(kind)
        return withExtendedLifetime(name) {
            callback(name.pointer, fr_index_path(path), userData.pointer).map { String(cString: $0) } ?? kind
        }
    }

    func dequeueSupplementary(ofKind kind: String, _ identifier: String, at path: ListIndexPath) -> Supplementary {
        guard !isEnded, let callback = callbacks.dequeue_supplementary else { return nil }
        let names = (CString(kind), CString(identifier))
        return withExtendedLifetime(names) {
            callback(names.0.pointer, names.1.pointer, fr_index_path(path), userData.pointer)
        }
    }

    func configure(_ view: Supplementary, ofKind kind: String, at path: ListIndexPath) {
        guard !isEnded, let view, let callback = callbacks.configure_supplementary else { return }
        let name = CString(kind)
        withExtendedLifetime(name) { callback(view, name.pointer, fr_index_path(path), userData.pointer) }
    }
}

/// The callbacks for cells, copied; none of NULL.
func cells(_ pointer: UnsafePointer<fr_cells>?) throws -> fr_cells {
    try pointer.map { try copied($0, "cells") } ?? fr_cells()
}
