internal import SQLiteKit

/// An object that refers to rows by their ids even if these have left the list.
protocol IdentityHolder: AnyObject {
    /// Called before an identity is released.
    func willRelease(_ id: Int64, _ identity: RowValues)
    /// Called before an identity is spelled differently.
    func willRespell(_ id: Int64, _ identity: RowValues)
}

extension Identities {
    /// Calls a holder from now on as long as it lives.
    func addHolder(_ holder: any IdentityHolder) {
        if areRowids && assigned?.outside.isEmpty ?? true { return }
        needed().add(holder)
    }

    /// Notes that all ids assigned so far belong to rows in the list, and that later ids are to
    /// be noted.
    func settle() { if !areRowids { needed().settle() } }

    /// Notes ids of rows that may not be in the list.
    func noteUnsettled(_ ids: [Int64]) {
        if !areRowids { assigned?.unsettled?.append(contentsOf: ids) }
    }

    /// Releases the given and the noted identities whose rows have left the
    /// list. The other identities are spelled as the list that is shown now spells them.
    func release(_ ids: [Int64], unless isInList: (Int64) -> Bool) {
        assigned?.release(ids, unless: isInList)
        assigned?.respell()
        settle()
    }

    /// Discards the spellings of a state that is not shown.
    func dropSpellings() { assigned?.dropSpellings() }

    /// Releases the identities of all rows that are not in the list. O(n).
    func releaseAll(unless isInList: (Int64) -> Bool) { assigned?.releaseAll(unless: isInList) }
}
