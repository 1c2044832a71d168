public import CFetchedResults
internal import SQLiteKit

@_cdecl("fr_version") @implementation
public func fr_version() -> UnsafePointer<CChar>! { unsafe versionName.pointer }

@_cdecl("fr_sqlite_with_reset_bug") @implementation
public func fr_sqlite_with_reset_bug() -> UnsafePointer<CChar>! { unsafe versionWithResetBug?.pointer }

@_cdecl("fr_status_name") @implementation
public func fr_status_name(_ status: fr_status) -> UnsafePointer<CChar>! {
    unsafe (statusNames[Int(status)] ?? unknownStatus).pointer
}

@_cdecl("fr_error_status") @implementation
public func fr_error_status() -> fr_status { LastError.failure?.status ?? 0 }

@_cdecl("fr_error_message") @implementation
public func fr_error_message() -> UnsafePointer<CChar>! { unsafe (LastError.failure?.message ?? emptyText).pointer }

@_cdecl("fr_error_sqlite_code") @implementation
public func fr_error_sqlite_code() -> Int32 { LastError.failure?.sqliteCode ?? 0 }

@_cdecl("fr_error_sql") @implementation
public func fr_error_sql() -> UnsafePointer<CChar>! { unsafe LastError.failure?.sql?.pointer }

@_cdecl("fr_live_handles") @implementation
public func fr_live_handles(_ out: UnsafeMutablePointer<Int64>!, _ kind: Int32) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        if kind == FR_HANDLE_ANY {
            unsafe out.pointee = HandleKind.allCases.reduce(0) { $0 + HandleTable.count($1) }
            return
        }
        guard let kind = UInt8(exactly: kind).flatMap(HandleKind.init) else {
            throw StoreError(.range, "there is no handle kind \(kind)")
        }
        unsafe out.pointee = HandleTable.count(kind)
    }
}

/// Strings that live until the process ends.
nonisolated(unsafe) private let versionName = CString(FR_VERSION_STRING)
nonisolated(unsafe) private let versionWithResetBug = Connection.versionWithResetBug.map(CString.init)
nonisolated(unsafe) private let emptyText = CString("")
nonisolated(unsafe) private let unknownStatus = CString("FR_UNKNOWN")
nonisolated(unsafe) private let statusNames: [Int: CString] = [
    FR_OK: "FR_OK", FR_ERROR: "FR_ERROR", FR_MISUSE: "FR_MISUSE", FR_CLOSED: "FR_CLOSED", FR_RANGE: "FR_RANGE",
    FR_INVALID_UTF8: "FR_INVALID_UTF8", FR_TYPE: "FR_TYPE", FR_NOT_FOUND: "FR_NOT_FOUND",
    FR_NOT_FETCHED: "FR_NOT_FETCHED", FR_SCHEMA: "FR_SCHEMA", FR_SQL: "FR_SQL", FR_CONSTRAINT: "FR_CONSTRAINT",
    FR_BUSY: "FR_BUSY", FR_READ_ONLY: "FR_READ_ONLY", FR_IO: "FR_IO", FR_CORRUPT: "FR_CORRUPT",
    FR_NO_MEMORY: "FR_NO_MEMORY", FR_CANCELLED: "FR_CANCELLED", FR_GONE: "FR_GONE",
].mapValues(CString.init)
