internal import CFetchedResults
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

/// A cell that shows columns, and notifies the program when its object was set.
@safe final class CellBox: ColumnCell {
    /// The handle that the callback gets for the cell.
    @safe var handle: OpaquePointer?
    private let changed: fr_cell_changed?
    private let userData: UserData
    private var isEnded = false
    /// The texts of those columns of the object that were requested.
    private var lent: [Int: CString] = [:]

    init(columns: [String], _ changed: fr_cell_changed?, _ userData: UserData) {
        unsafe self.changed = changed
        self.userData = userData
        super.init(columns: columns)
    }

    func end() { isEnded = true }

    override func show() {
        lent = [:]
        if !isEnded { unsafe changed?(handle, userData.pointer) }
    }

    func value(_ index: Int) throws -> fr_value {
        guard let object else { throw StoreError(.notFound, "the cell has no object") }
        guard let column = object.index(of: columns[index]) else {
            throw StoreError(.schema, "the object shows no column named \(columns[index])")
        }
        guard let content = object.content else {
            throw StoreError(.gone, "the values of the deleted row are not known")
        }
        return unsafe borrowedValue(content, column)
    }

    func text(_ index: Int) -> UnsafePointer<CChar> {
        if let known = lent[index] { return unsafe known.pointer }
        let text = CString(texts[index])
        lent[index] = text
        return unsafe text.pointer
    }
}
