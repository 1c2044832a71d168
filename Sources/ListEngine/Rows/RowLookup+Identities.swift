internal import SQLiteKit

extension RowLookup {
    /// The statement for a row id of the list, its parameters set; nil for one that is not known.
    func statement(for id: Int64, _ identities: Identities) throws(StoreError) -> Statement? {
        if identities.areRowids {
            try byRowid?.bind(id, at: 1)
            return byRowid
        }
        guard let rowValues = identities.rowValues(id) else { return nil }
        if rowValues.isRowid {
            try byRowid?.bind(rowValues.values, 0, at: 1)
            return byRowid
        }
        for index in 0..<rowValues.values.count {
            try byIdentity?.bind(rowValues.values, index, at: firstParameter + index)
        }
        return byIdentity
    }
}
