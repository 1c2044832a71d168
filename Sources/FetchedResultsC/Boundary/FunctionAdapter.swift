internal import CFetchedResults
internal import SQLiteKit

/// Calls the functions of an `fr_function`.
@safe final class FunctionAdapter {
    fileprivate typealias Arguments = (pointer: UnsafePointer<fr_value>?, count: Int)

    private let name: String
    fileprivate let function: fr_function
    private let userData: UserData

    init(_ name: String, _ function: fr_function, _ userData: UserData) throws {
        self.name = name
        self.function = function
        self.userData = userData
        let flags = FR_FUNCTION_DETERMINISTIC | FR_FUNCTION_ANY_THREAD | FR_FUNCTION_SETS_RESULT
        guard function.flags & ~UInt32(flags) == 0 else {
            throw StoreError(.range, "the function has unknown flags: \(function.flags)")
        }
        let isScalar = unsafe function.call != nil
        let isAggregate = unsafe function.step != nil && function.finalize != nil
        let hasParts = unsafe function.step != nil || function.finalize != nil || isWindow
        guard isScalar ? !hasParts : isAggregate, unsafe (function.value == nil) == (function.inverse == nil) else {
            throw StoreError(.misuse, "the function \(name) has either call, or step and finalize")
        }
    }

    private var setsResult: Bool { function.flags & UInt32(FR_FUNCTION_SETS_RESULT) != 0 }

    private var isWindow: Bool { unsafe function.value != nil || function.inverse != nil }

    /// The function that the store registers.
    var sqlFunction: SQLFunction {
        unsafe SQLFunction(
            name: name, argumentCount: Int(function.argument_count),
            isDeterministic: function.flags & UInt32(FR_FUNCTION_DETERMINISTIC) != 0,
            isForAnyThread: function.flags & UInt32(FR_FUNCTION_ANY_THREAD) != 0,
            kind: function.call == nil ? .aggregate(isWindow: isWindow) { ProgramGroup(self) } : .scalar(callScalar))
    }

    private func callScalar(_ arguments: RowValues) throws -> Value {
        guard let call = unsafe function.call else { return .null }
        return unsafe try outcome(arguments) { unsafe call($0, $1.pointer, $1.count, $2) }
    }

    /// Calls a function of the program, and copies what it returns.
    fileprivate func outcome(
        _ arguments: RowValues = RowValues([]),
        _ body: (UnsafeMutablePointer<fr_value>, Arguments, UnsafeMutableRawPointer?) -> fr_status
    ) throws -> Value {
        var outcome = Result<Value, any Error>.success(.null)
        LastError.preserving {
            LastError.failure = nil
            var result = unsafe fr_value()
            if setsResult { unsafe result.type = Int32(FR_TYPE_UNSET) }
            let status = unsafe lend(arguments) { unsafe body(&result, $0, userData.pointer) }
            outcome = Result { unsafe try copy(result, status) }
            unsafe release(result)
        }
        return try outcome.get()
    }

    private func release(_ result: fr_value) {
        guard let free = unsafe function.free_data, let data = unsafe result.data,
            unsafe [Int32(FR_TYPE_TEXT), Int32(FR_TYPE_BLOB)].contains(result.type)
        else { return }
        unsafe free(UnsafeMutableRawPointer(mutating: data))
    }

    /// Throws the error of a function that failed: it did not return FR_OK, or has not set its
    /// result.
    private func copy(_ result: fr_value, _ status: fr_status) throws -> Value {
        guard unsafe setsResult ? isUnset(result) : status != 0 else {
            return unsafe try value(result, "the result of the SQL function \(name)")
        }
        throw callbackFailure("the SQL function \(name)", status, message: unsafe message(result))
    }

    private func isUnset(_ result: fr_value) -> Bool { unsafe setsResult && result.type == Int32(FR_TYPE_UNSET) }

    /// The message of a callback that failed, if it has set one.
    private func message(_ result: fr_value) -> String? {
        var text = unsafe result
        if unsafe isUnset(result) && result.data != nil { unsafe text.type = Int32(FR_TYPE_TEXT) }
        guard unsafe text.type == Int32(FR_TYPE_TEXT) else { return nil }
        // One that is not valid does not replace the failure.
        return unsafe try? value(text, "message").text
    }

    private func lend<Result>(_ arguments: RowValues, _ body: (Arguments) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(of: fr_value.self, capacity: arguments.count) { values in
            for index in 0..<arguments.count {
                unsafe values.initializeElement(at: index, to: borrowedValue(arguments, index))
            }
            let pointer = unsafe arguments.count == 0 ? nil : UnsafePointer(values.baseAddress)
            return withExtendedLifetime(arguments) { unsafe body((pointer, arguments.count)) }
        }
    }
}

/// A group of an aggregate of the program.
@safe private final class ProgramGroup: AggregateGroup {
    private let adapter: FunctionAdapter
    /// The memory of the program for the group.
    private var pointer: UnsafeMutableRawPointer?

    init(_ adapter: FunctionAdapter) { self.adapter = adapter }

    func step(_ arguments: RowValues) throws {
        guard let step = unsafe adapter.function.step else { return }
        _ = unsafe try adapter.outcome(arguments) { unsafe step($0, &pointer, $1.pointer, $1.count, $2) }
    }

    func inverse(_ arguments: RowValues) throws {
        guard let inverse = unsafe adapter.function.inverse else { return }
        _ = unsafe try adapter.outcome(arguments) { unsafe inverse($0, &pointer, $1.pointer, $1.count, $2) }
    }

    func value() throws -> Value {
        guard let value = unsafe adapter.function.value else { return .null }
        return unsafe try adapter.outcome { result, _, userData in unsafe value(result, &pointer, userData) }
    }

    func finalize() throws -> Value {
        guard let finalize = unsafe adapter.function.finalize else { return .null }
        return unsafe try adapter.outcome { result, _, userData in unsafe finalize(result, &pointer, userData) }
    }
}

/// Calls a function of the program that SQLite runs. Throws the failure that it returns.
func calling(_ name: @autoclosure () -> String, _ function: () -> fr_status) throws {
    var failure: StoreError?
    LastError.preserving {
        LastError.failure = nil
        let status = function()
        if status != 0 { failure = callbackFailure(name(), status) }
    }
    if let failure { throw failure }
}

/// The failure of a callback that did not return FR_OK: with its message, or the message of its
/// last call.
private func callbackFailure(_ name: String, _ status: fr_status, message: String? = nil) -> StoreError {
    let own = LastError.failure.flatMap { unsafe $0.status == status ? String(cString: $0.message.pointer) : nil }
    let returned =
        unsafe status == 0 ? "has ended without a result" : "returned \(String(cString: fr_status_name(status)))"
    return StoreError(status == FR_NO_MEMORY ? .noMemory : .error, message ?? own ?? "\(name) \(returned)")
}
