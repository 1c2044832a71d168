internal import SQLiteKit

extension IdentityColumns {
    /// - Parameter columns: As many as `Entity.identityExpressions` has.
    convenience init(_ columns: [Int], _ entity: Entity) {
        self.init(columns, entity.identityExpressions.map(\.component), isNullable: entity.isIdentityNullable)
    }
}
