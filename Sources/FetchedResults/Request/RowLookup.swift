internal import SQLiteKit

/// A statement that reads one row by its identity, in the forms that an entity's identities have.
struct RowLookup {
    enum Key {
        case rowid
        case identity
    }

    let byRowid: Statement?
    let byIdentity: Statement?
    /// The number of the first parameter that belongs to the identity.
    var firstParameter = 1

    /// The statement for a row id of the list, its parameters set; nil for one that is not known.
    func statement(for id: Int64, _ identities: Identities) throws(StoreError) -> Statement? {
        if identities.areRowids {
            try byRowid?.bind(id, at: 1)
            return byRowid
        }
        guard let record = identities.record(id) else { return nil }
        if record.isRowid {
            try byRowid?.bind(record.values, 0, at: 1)
            return byRowid
        }
        for index in 0..<record.values.count { try byIdentity?.bind(record.values, index, at: firstParameter + index) }
        return byIdentity
    }
}
