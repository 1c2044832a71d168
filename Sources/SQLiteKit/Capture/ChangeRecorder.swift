/// The rows of all tables that one transaction touches, with their old images.
///
/// The images are right whatever is rolled back inside the transaction: the first touch of a row
/// always finds it as the transaction did. SQLite has no hook for a rollback to a savepoint, so a
/// log of all changes would contain changes that never happened.
package final class ChangeRecorder {
    /// How a table is read that a hook names; nil for a table that is not recorded. Called inside
    /// the hook.
    package typealias FindLayout = (_ schema: String, _ table: String) throws -> ImageLayout?

    private let connection: Connection
    private let byteLimit: Int
    private let findLayout: FindLayout
    package private(set) var watches: [TableWatch] = []
    private var ignored: [(schema: [CChar], table: [CChar])] = []
    /// Where the last search ended.
    private var last: TableWatch?
    private var byteCount = 0
    /// Why the transaction can't be recorded; from then on nothing is.
    package private(set) var failure: StoreError?
    /// Whether the transaction has reached its commit, which can still fail.
    package private(set) var isCommitting = false

    /// - Parameter byteLimit: How much memory the rows may take.
    package init(connection: Connection, byteLimit: Int, _ findLayout: @escaping FindLayout) {
        self.connection = connection
        self.byteLimit = byteLimit
        self.findLayout = findLayout
    }

    /// The memory that a touched row takes in addition to its values.
    package static var rowByteCount: Int { 64 }

    func willCommit() { isCommitting = true }

    /// The watch of the table that a hook names; nil if its rows are not recorded.
    func watch(_ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) -> TableWatch? {
        if failure != nil { return nil }
        if let last, unsafe last.isNamed(schema, table) { return last }
        if let known = watches.first(where: { unsafe $0.isNamed(schema, table) }) {
            last = known
            return known
        }
        return unsafe newWatch(String(cString: schema), String(cString: table))
    }

    private func newWatch(_ schema: String, _ table: String) -> TableWatch? {
        let names = (schema: Array(schema.utf8CString), table: Array(table.utf8CString))
        if ignored.contains(where: { $0 == names }) { return nil }
        do {
            guard let layout = try findLayout(schema, table) else {
                ignored.append(names)
                return nil
            }
            let watch = TableWatch(
                schema: schema, table: table, layout: layout, select: try connection.prepare(layout.select),
                incompleteTake: nil)
            watches.append(watch)
            last = watch
            return watch
        } catch {
            fail(StoreError(any: error))
            return nil
        }
    }

    /// Counts the memory of rows that a watch has noted.
    ///
    /// - Parameter count: How many rows it had before.
    func noteTouched(_ watch: TableWatch, since count: Int) {
        let added = watch.count - count
        for image in watch.rowids.images.suffix(added) + watch.keys.images.suffix(added) {
            byteCount += Self.rowByteCount + (image?.byteCount ?? 0)
        }
        if byteCount > byteLimit {
            fail(StoreError(.range, "it changes more rows than fit into \(byteLimit) bytes"))
        }
    }

    private func fail(_ failure: StoreError) {
        self.failure = failure
        watches = []
        last = nil
    }
}
