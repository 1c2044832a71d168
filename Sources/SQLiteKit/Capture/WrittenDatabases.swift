internal import Glibc

/// The databases of a connection in which rows were written, as hooks tell: it may be that none of them has changed.
///
/// Safe: the address is compared, never followed.
@safe
package struct WrittenDatabases {
    package private(set) var isMain = false
    /// The names of the others, the temporary one among them.
    package private(set) var others: [ExactText] = []
    /// Where the name of the last one stands. SQLite has one place for it as long as it is being written.
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

    /// Called when the transaction ends: another database may get a name in the same place.
    mutating func forgetAddress() { unsafe lastName = nil }

    mutating func removeAll() {
        forgetAddress()
        isMain = false
        if !others.isEmpty { others = [] }
    }
}
