/// Tells which values equal a given one: by their bytes, or, under a collation that only SQLite knows, by asking it.
package struct KeyMatch {
    private let wanted: Record.Part
    private let component: KeyComponent
    private let bytes: [UInt8]
    private let comparer: CollationComparer?

    package init(_ wanted: Record.Part, _ collation: Collation, connection: Connection) throws(StoreError) {
        self.wanted = wanted
        component = KeyComponent(collation: collation)
        if case .custom(let name) = collation {
            comparer = try CollationComparer(collation: name, connection: connection)
            bytes = []
        } else {
            comparer = nil
            bytes = wanted.encoded(component)
        }
    }

    package func matches(_ part: Record.Part) throws(StoreError) -> Bool {
        guard let comparer else { return part.encoded(component) == bytes }
        return try comparer.compare(part.record, part.index, wanted.record, wanted.index, component) == 0
    }
}
