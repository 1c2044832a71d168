internal import Glibc

/// The databases of a connection in which rows were written, as the hooks report them. It is
/// possible that none of them has changed.
///
/// Safe: the address is compared, never dereferenced.
@safe
package struct WrittenDatabases {
    package private(set) var isMain = false
    /// The names of the other databases, including the temporary one.
    package private(set) var others: [ExactText] = []
    /// The address of the last one's name. SQLite stores the name in one place as long as the
    /// database is being written.
    private var lastName: UnsafePointer<CChar>?

    package func contains(_ database: ExactText) -> Bool { others.contains(database) }

    /// Notes the database of a row; called for each row.
    mutating func note(_ name: UnsafePointer<CChar>) {
        if unsafe name == lastName { return }
        unsafe lastName = unsafe name
        if unsafe strcmp(name, "main") == 0 { return isMain = true }
        let name = unsafe ExactText(String(cString: name))
        if !others.contains(name) { others.append(name) }
    }

    /// Called when the transaction ends: the name of another database may get the same address.
    mutating func discardAddress() { unsafe lastName = nil }

    mutating func removeAll() {
        discardAddress()
        isMain = false
        if !others.isEmpty { others = [] }
    }
}
