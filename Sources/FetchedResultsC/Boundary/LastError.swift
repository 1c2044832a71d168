internal import FetchedResults
internal import Glibc
internal import SQLiteKit

/// What went wrong in a thread's last call.
final class LastError {
    private(set) var status: Int32 = 0
    private(set) var sqliteCode: Int32 = 0
    private(set) var message = CString("")
    private(set) var sql: CString?

    nonisolated(unsafe) private static var key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { if let box = $0 { Unmanaged<LastError>.fromOpaque(box).release() } }
        return key
    }()

    /// The calling thread's; nil if nothing has ever gone wrong in it.
    static var current: LastError? {
        pthread_getspecific(key).map { Unmanaged<LastError>.fromOpaque($0).takeUnretainedValue() }
    }

    static func clear() {
        guard let current, current.status != 0 else { return }
        current.status = 0
        current.sqliteCode = 0
        current.message = CString("")
        current.sql = nil
    }

    /// - Parameter status: What the call returns, if that is a code of the caller's own.
    static func set(_ error: StoreError, status: Int32? = nil) {
        let box: LastError
        if let current {
            box = current
        } else {
            box = LastError()
            pthread_setspecific(key, Unmanaged.passRetained(box).toOpaque())
        }
        box.status = status ?? error.status.rawValue
        box.sqliteCode = error.sqliteCode
        box.message = CString(error.message)
        box.sql = error.sql.map(CString.init)
    }
}

/// The one way in which calls end: success forgets the last error, failure becomes it.
func status(_ body: () throws -> Void) -> Int32 {
    do {
        try body()
    } catch let passed as PassedStatus {
        return passed.status
    } catch {
        let failure = StoreError(any: error)
        LastError.set(failure)
        return failure.status.rawValue
    }
    LastError.clear()
    return 0
}

/// A status of the caller's own that is handed back, with whatever error it left.
struct PassedStatus: Error {
    let status: Int32
}
