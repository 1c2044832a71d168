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
}
