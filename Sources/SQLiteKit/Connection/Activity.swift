internal import Glibc

/// Whether a connection is at work: SQLite runs one of its statements, or the program was called in the middle of one, as
/// collations, SQL functions and the progress of a fetch are.
///
/// SQLite does not expect a connection to be closed then, nor the library a list to be read while it reads one.
package final class Activity {
    private var depth = 0
    #if DEBUG
        private var thread: pthread_t?
    #endif

    package var isUnderWay: Bool { depth > 0 }

    /// Runs the program's code in the middle of a statement.
    @inline(__always)
    package func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        depth &+= 1
        defer { depth &-= 1 }
        return try body()
    }

    /// Begins a call into SQLite. Debug builds find out that another thread is in one.
    @inline(__always)
    func begin() throws(StoreError) {
        #if DEBUG
            if depth > 0, let thread, pthread_equal(thread, pthread_self()) == 0 {
                throw StoreError(.misuse, "the store is used by two threads at the same time")
            }
            thread = pthread_self()
        #endif
        depth &+= 1
    }

    @inline(__always)
    func end() { depth &-= 1 }
}
