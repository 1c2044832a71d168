internal import CFetchedResults
internal import FetchedResults
internal import Glibc
internal import SQLiteKit

/// A failure in the form of the C interface, with strings that live as long as it does.
struct Failure {
    let status: Int32
    let sqliteCode: Int32
    let message: CString
    let sql: CString?

    /// - Parameter status: What the call returns, if that is a code of the program's own.
    init(_ error: StoreError, status: Int32? = nil) {
        self.status = status ?? error.status.rawValue
        sqliteCode = error.sqliteCode
        message = CString(error.message)
        sql = error.sql.map(CString.init)
    }

    /// The failure as a structure that is valid as long as this lives.
    fileprivate var structure: fr_error {
        unsafe fr_error(
            struct_size: MemoryLayout<fr_error>.size, status: status, sqlite_code: sqliteCode, message: message.pointer,
            sql: sql?.pointer)
    }

    /// Passes the failure to a callback, which borrows it.
    func lend(_ body: (UnsafePointer<fr_error>) -> Void) {
        var error = unsafe structure
        withExtendedLifetime(self) { unsafe body(&error) }
    }
}

/// A failure that a program borrows beyond a call.
@safe final class LentFailure {
    private let failure: Failure
    private let array: LentArray<fr_error>
    var pointer: UnsafePointer<fr_error>? { unsafe UnsafePointer(array.values.baseAddress) }

    init(_ failure: Failure) {
        self.failure = failure
        unsafe array = LentArray(CollectionOfOne(failure.structure))
    }
}

/// The failure of the calling thread's last call.
enum LastError {
    private final class Box {
        var failure: Failure?
    }

    nonisolated(unsafe) private static var key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key) { if let box = unsafe $0 { unsafe Unmanaged<Box>.fromOpaque(box).release() } }
        return key
    }()

    /// nil if no call has failed in the thread yet.
    private static var box: Box? {
        unsafe pthread_getspecific(key).map { unsafe Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
    }

    /// nil if the last call succeeded.
    static var failure: Failure? {
        get { box?.failure }
        set {
            if let box {
                if newValue != nil || box.failure != nil { box.failure = newValue }
            } else if let newValue {
                let box = Box()
                box.failure = newValue
                unsafe pthread_setspecific(key, Unmanaged.passRetained(box).toOpaque())
            }
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
            let failure = (error as? PassedFailure)?.failure ?? Failure(StoreError(any: error))
            LastError.failure = failure
            return failure.status
        }
        LastError.failure = nil
        return 0
    }
}

/// Calls `body`, in which the thread is not cancelled.
@inline(__always)
func uncancelled<Result>(_ body: () -> Result) -> Result {
    var cancellation: Int32 = 0
    unsafe pthread_setcancelstate(Int32(PTHREAD_CANCEL_DISABLE), &cancellation)
    defer { pthread_setcancelstate(cancellation, nil) }
    return body()
}

/// A failure that a function of the program returned, in its state at that moment.
struct PassedFailure: Error, @unchecked Sendable {
    let failure: Failure
}

/// Calls a function of the program and throws its status, with the error of the call that failed
/// with it inside the function, if that was its last call.
func passing(_ name: @autoclosure () -> String, _ function: () -> fr_status) throws {
    // An error that exists after the call was made during it.
    LastError.failure = nil
    let result = function()
    guard result != 0 else { return }
    if let failure = LastError.failure, failure.status == result { throw PassedFailure(failure: failure) }
    let status = unsafe String(cString: fr_status_name(result))
    throw PassedFailure(failure: Failure(StoreError(.error, "\(name()) returned \(status)"), status: result))
}
