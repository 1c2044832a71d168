internal import CFetchedResults
internal import FetchedResults
internal import Glibc
internal import SQLiteKit

/// A failure in the form of the C interface, a structure with its strings. It never changes. A call
/// throws it if a function of the program has failed.
@safe final class Failure: Error, @unchecked Sendable {
    let status: Int32
    let sqliteCode: Int32
    let message: CString
    let sql: CString?
    private let structure: LentArray<fr_error>
    /// Valid as long as the failure lives.
    var pointer: UnsafePointer<fr_error>? { unsafe UnsafePointer(structure.values.baseAddress) }

    /// - Parameter status: The result of the call, if it is a code of the program's own.
    init(_ error: StoreError, status: Int32? = nil) {
        self.status = status ?? error.status.rawValue
        sqliteCode = error.sqliteCode
        message = CString(error.message)
        sql = error.sql.map(CString.init)
        unsafe structure = LentArray(
            CollectionOfOne(
                fr_error(
                    struct_size: MemoryLayout<fr_error>.size, status: self.status, sqlite_code: sqliteCode,
                    message: message.pointer, sql: sql?.pointer)))
    }

    /// Passes the failure to a callback, which borrows it.
    func lend(_ body: (UnsafePointer<fr_error>?) -> Void) {
        withExtendedLifetime(self) { unsafe body(pointer) }
    }
}

/// The failure of the calling thread's last call.
enum LastError {
    nonisolated(unsafe) private static var key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key) { unsafe release($0) }
        return key
    }()

    private static func release(_ stored: UnsafeMutableRawPointer?) {
        if let stored = unsafe stored { unsafe Unmanaged<Failure>.fromOpaque(stored).release() }
    }

    /// nil if the last call succeeded, or the thread has made none.
    static var failure: Failure? {
        get {
            unsafe pthread_getspecific(key).map { unsafe Unmanaged<Failure>.fromOpaque($0).takeUnretainedValue() }
        }
        set {
            let old = unsafe pthread_getspecific(key)
            if unsafe old == nil, newValue == nil { return }
            unsafe pthread_setspecific(key, newValue.map { unsafe Unmanaged.passRetained($0).toOpaque() })
            unsafe release(old)
        }
    }

    /// Calls a function of the program whose own calls do not affect the outcome of the call under
    /// way.
    static func preserving(_ body: () -> Void) {
        let failure = failure
        body()
        Self.failure = failure
    }
}

/// The one way in which calls end: success clears the last error, failure replaces it. The error
/// functions then report on this call, whatever calls its callbacks made.
///
/// A thread is not cancelled in the middle of a call, which would leave SQLite's locks taken, but
/// at the next point for that after it
/// (https://man7.org/linux/man-pages/man3/pthread_cancel.3.html).
func status(_ body: () throws -> Void) -> Int32 {
    uncancelled {
        do {
            try body()
        } catch {
            let failure = error as? Failure ?? Failure(StoreError(any: error))
            LastError.failure = failure
            return failure.status
        }
        LastError.failure = nil
        return 0
    }
}

/// The same for a function that frees, which leaves the last error unless it fails: a program frees
/// what a failed call needed before it reports that call's error.
func statusOfFreeing(_ body: () throws -> Void) -> Int32 {
    let before = LastError.failure
    let result = status(body)
    if result == 0 { LastError.failure = before }
    return result
}

/// Calls `body`, in which the thread is not cancelled.
@inline(__always)
func uncancelled<Result>(_ body: () -> Result) -> Result {
    var cancellation: Int32 = 0
    unsafe pthread_setcancelstate(Int32(PTHREAD_CANCEL_DISABLE), &cancellation)
    defer { pthread_setcancelstate(cancellation, nil) }
    return body()
}

/// Calls a function of the program and throws its status, with the error of the call that failed
/// with it inside the function, if that was its last call.
func passing(_ name: @autoclosure () -> String, _ function: () -> fr_status) throws {
    // An error that exists after the call was made during it.
    LastError.failure = nil
    let result = function()
    guard result != 0 else { return }
    if let failure = LastError.failure, failure.status == result { throw failure }
    let status = unsafe String(cString: fr_status_name(result))
    throw Failure(StoreError(.error, "\(name()) returned \(status)"), status: result)
}
