internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

/// Passes a data source's requests to the program on to C callbacks. Cells are pointers of the
/// program's own, which makes the conformances unsafe.
final class CellsAdapter: @unsafe CellView, @unsafe CellConfigurator, @unsafe SupplementaryView,
    @unsafe SupplementaryConfigurator
{
    typealias Cell = UnsafeMutableRawPointer?
    typealias Item = FetchedObject?
    typealias Supplementary = UnsafeMutableRawPointer?

    private let callbacks: fr_cells
    private let userData: UserData
    private let identifier: String
    /// Whether no callback may be called any more.
    private var isEnded = false

    /// - Parameter identifier: For objects of which the program names none.
    init(_ callbacks: fr_cells, _ userData: UserData, identifier: String = defaultReuseIdentifier) {
        self.callbacks = callbacks
        self.userData = userData
        self.identifier = identifier
    }

    func end() { isEnded = true }

    var showsVisibleCells: Bool { unsafe callbacks.visible_cell != nil }

    /// Lends an object to the program; nil stays NULL.
    private func lending<Result>(_ object: FetchedObject?, _ body: (OpaquePointer?) -> Result) -> Result {
        let handle = unsafe object.flatMap { try? newObjectHandle($0) }
        defer { HandleTable.release(handle, .object) }
        return unsafe body(handle)
    }

    // MARK: Cells

    func reuseIdentifier(for item: FetchedObject?, at path: ListIndexPath) -> String {
        guard !isEnded, let callback = unsafe callbacks.reuse_identifier else { return identifier }
        let named = unsafe lending(item) {
            unsafe callback($0, fr_index_path(path), userData.pointer).map { unsafe String(cString: $0) }
        }
        return named ?? identifier
    }

    func dequeueCell(_ identifier: String, at path: ListIndexPath) -> Cell {
        guard !isEnded, let callback = unsafe callbacks.dequeue else { return nil }
        let name = CString(identifier)
        return unsafe withExtendedLifetime(name) {
            unsafe callback(name.pointer, fr_index_path(path), userData.pointer)
        }
    }

    func visibleCell(at path: ListIndexPath) -> Cell? {
        guard !isEnded, let cell = unsafe callbacks.visible_cell?(fr_index_path(path), userData.pointer) else {
            return nil
        }
        return unsafe cell
    }

    func configure(_ cell: Cell, with item: FetchedObject?, at path: ListIndexPath) {
        guard !isEnded, let cell = unsafe cell else { return }
        if let callback = unsafe callbacks.configure {
            return unsafe lending(item) { unsafe callback(cell, $0, fr_index_path(path), userData.pointer) }
        }
        (HandleTable.find(OpaquePointer(cell), .cell) as? CellBox)?.object = item
    }

    // MARK: Supplementary views

    func reuseIdentifier(forSupplementaryOfKind kind: String, at path: ListIndexPath) -> String {
        guard !isEnded, let callback = unsafe callbacks.supplementary_identifier else { return kind }
        let name = CString(kind)
        return withExtendedLifetime(name) {
            unsafe callback(name.pointer, fr_index_path(path), userData.pointer).map { unsafe String(cString: $0) }
                ?? kind
        }
    }

    func dequeueSupplementary(ofKind kind: String, _ identifier: String, at path: ListIndexPath) -> Supplementary {
        guard !isEnded, let callback = unsafe callbacks.dequeue_supplementary else { return nil }
        let names = (CString(kind), CString(identifier))
        return unsafe withExtendedLifetime(names) {
            unsafe callback(names.0.pointer, names.1.pointer, fr_index_path(path), userData.pointer)
        }
    }

    func configure(_ view: Supplementary, ofKind kind: String, at path: ListIndexPath) {
        guard !isEnded, let view = unsafe view, let callback = unsafe callbacks.configure_supplementary else { return }
        let name = CString(kind)
        withExtendedLifetime(name) { unsafe callback(view, name.pointer, fr_index_path(path), userData.pointer) }
    }
}

/// The callbacks for cells, copied; none for NULL.
func cells(_ pointer: UnsafePointer<fr_cells>?) throws -> fr_cells {
    unsafe try pointer.map { unsafe try copied($0, "cells") } ?? fr_cells()
}
