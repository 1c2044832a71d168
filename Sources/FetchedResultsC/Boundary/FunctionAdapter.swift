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
        guard function.flags & ~UInt32(FR_FUNCTION_DETERMINISTIC | FR_FUNCTION_ANY_THREAD) == 0 else {
            throw StoreError(.range, "the function has unknown flags: \(function.flags)")
        }
        let isScalar = unsafe function.call != nil
        let isAggregate = unsafe function.step != nil && function.finalize != nil
        let hasParts = unsafe function.step != nil || function.finalize != nil || isWindow
        guard isScalar ? !hasParts : isAggregate, unsafe (function.value == nil) == (function.inverse == nil) else {
            throw StoreError(.misuse, "the function \(name) has either call, or step and finalize")
        }
    }

    private var isWindow: Bool { unsafe function.value != nil || function.inverse != nil }

    /// What the store registers.
    var sqlFunction: SQLFunction {
        unsafe SQLFunction(
            name: name, argumentCount: Int(function.argument_count),
            isDeterministic: function.flags & UInt32(FR_FUNCTION_DETERMINISTIC) != 0,
            isForAnyThread: function.flags & UInt32(FR_FUNCTION_ANY_THREAD) != 0,
            kind: function.call == nil ? .aggregate(isWindow: isWindow) { Group(self) } : .scalar(callScalar))
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

    /// Throws the error of a function that did not return FR_OK.
    private func copy(_ result: fr_value, _ status: fr_status) throws -> Value {
        guard status != 0 else { return unsafe try value(result, "the result of the SQL function \(name)") }
        let text = unsafe result.type == Int32(FR_TYPE_TEXT) ? try? value(result, "message").text : nil
        let failure = LastError.failure.flatMap {
            unsafe $0.status == status ? String(cString: $0.message.pointer) : nil
        }
        throw unsafe StoreError(
            status == FR_NO_MEMORY ? .noMemory : .error,
            text ?? failure ?? "the SQL function \(name) returned \(String(cString: fr_status_name(status)))")
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
@safe private final class Group: AggregateGroup {
    private let adapter: FunctionAdapter
    /// What the program stores for the group.
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
