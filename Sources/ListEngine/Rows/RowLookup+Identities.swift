internal import SQLiteKit

extension RowLookup {
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
