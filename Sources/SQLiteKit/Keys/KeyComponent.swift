/// How one value takes part in an order.
package struct KeyComponent: Equatable, Sendable {
    package var collation: Collation
    package var isDescending: Bool
    package var nullsFirst: Bool

    package init(collation: Collation = .binary, isDescending: Bool = false, nullsFirst: Bool? = nil) {
        self.collation = collation
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst ?? !isDescending
    }
}
