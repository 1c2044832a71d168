internal import CSQLite

extension Connection {
    /// Registers a function, which replaces one of that name with as many arguments. It is
    /// released when it is replaced, when the connection closes, or if this fails.
    package func addFunction(_ function: SQLFunction) throws(StoreError) {
        try function.check()
        try register(function)
        try addedFunctions().add(function, replacing: function.replaces)
    }

    private func addedFunctions() throws(StoreError) -> Additions<SQLFunction> {
        try registration { Additions { function, connection throws(StoreError) in try connection.register(function) } }
    }

    private func register(_ function: SQLFunction) throws(StoreError) {
        try register(function, calledIn: [activity])
    }

    /// Registers functions with another connection of the library: the functions of this one, and
    /// the library's own for full-text searches.
    ///
    /// - Parameter onOtherThread: Whether another thread uses it. Then it gets only functions that
    ///   any thread may call.
    package func shareFunctions(with reader: Connection, onOtherThread: Bool) throws(StoreError) {
        try reader.addFullTextFunctions()
        for function in try addedFunctions().items where function.isForAnyThread || !onOtherThread {
            try reader.register(function, calledIn: onOtherThread ? [reader.activity] : [activity, reader.activity])
        }
    }

    /// - Parameter activities: The activities of the connections that can't be used inside the
    ///   function.
    private func register(_ function: SQLFunction, calledIn activities: [Activity]) throws(StoreError) {
        let flags = SQLITE_UTF8 | (function.isDeterministic ? SQLITE_DETERMINISTIC : 0)
        let count = Int32(truncatingIfNeeded: function.argumentCount)
        let code: Int32
        switch function.kind {
        case .scalar(let call):
            // If the registration fails, SQLite calls the destructor.
            let box = unsafe Unmanaged.passRetained(ScalarBox(call, activities)).toOpaque()
            code = unsafe sqlite3_create_function_v2(
                handle, function.name, count, flags, box,
                { unsafe FunctionCall($0, $1, $2).callScalar() }, nil, nil, { unsafe release($0) })
        case .aggregate(let isWindow, let make):
            let box = unsafe Unmanaged.passRetained(AggregateBox(make, activities)).toOpaque()
            code = unsafe sqlite3_create_window_function(
                handle, function.name, count, flags, box,
                { unsafe FunctionCall($0, $1, $2).step { group, row in try group.step(row) } },
                { unsafe FunctionCall($0, 0, nil).finalize() },
                isWindow ? { unsafe FunctionCall($0, 0, nil).readValue() } : nil,
                isWindow ? { unsafe FunctionCall($0, $1, $2).step { group, row in try group.inverse(row) } } : nil,
                { unsafe release($0) })
        }
        guard code == SQLITE_OK else { throw failure(code) }
    }
}

/// What SQLite holds of a function: the program's code, which makes a group in an aggregate.
private final class FunctionBox<Code> {
    let code: Code
    private let activities: [Activity]

    init(_ code: Code, _ activities: [Activity]) {
        self.code = code
        self.activities = activities
    }

    /// Runs the program's code, in which the connections can't be used.
    func calling(_ body: () -> Void) { calling(activities[...], body) }

    /// At most two deep: see `shareFunctions`.
    private func calling(_ activities: ArraySlice<Activity>, _ body: () -> Void) {
        guard let activity = activities.first else { return body() }
        activity.inStatement(.small) { calling(activities.dropFirst(), body) }
    }
}

private typealias ScalarBox = FunctionBox<(RowValues) throws -> Value>
private typealias AggregateBox = FunctionBox<() -> any AggregateGroup>
/// The group that SQLite stores in the memory of an aggregate.
private typealias GroupBox = Box<any AggregateGroup>

private func release(_ box: UnsafeMutableRawPointer?) {
    if let box = unsafe box { unsafe Unmanaged<AnyObject>.fromOpaque(box).release() }
}

/// One call of a function by SQLite. Unsafe, because it is valid only during that call.
@unsafe private struct FunctionCall {
    private let context: OpaquePointer?
    private let count: Int
    private let values: UnsafeMutablePointer<OpaquePointer?>?

    init(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        unsafe self.context = context
        unsafe self.count = values == nil ? 0 : Int(count)
        unsafe self.values = values
    }

    private var arguments: RowValues {
        // Not unchanged: SQLite converts a text that is UTF-16 in the database.
        unsafe RowValues(count: count) { unsafe ValueReader(value: values?[$0], isUTF8: false) }
    }

    private func box<Code>(_ type: FunctionBox<Code>.Type) -> FunctionBox<Code>? {
        guard let data = unsafe sqlite3_user_data(context) else { return nil }
        return unsafe Unmanaged<FunctionBox<Code>>.fromOpaque(data).takeUnretainedValue()
    }

    func callScalar() {
        guard let box = unsafe box(ScalarBox.self) else { return }
        let arguments = unsafe arguments
        var result: Result<Value, any Error>?
        box.calling { result = Result { try box.code(arguments) } }
        unsafe finish(result)
    }

    func step(_ body: (any AggregateGroup, RowValues) throws -> Void) {
        guard let box = unsafe box(AggregateBox.self) else { return }
        let arguments = unsafe arguments
        var result: Result<Void, any Error>?
        unsafe withGroup(box) { group in result = Result { try body(group, arguments) } }
        if case .failure(let error) = result { unsafe fail(error) }
    }

    func readValue() {
        guard let box = unsafe box(AggregateBox.self) else { return }
        var result: Result<Value, any Error>?
        unsafe withGroup(box) { group in result = Result { try group.value() } }
        unsafe finish(result)
    }

    /// Calls the program with the group, which the first call makes.
    private func withGroup(_ box: AggregateBox, _ body: (any AggregateGroup) -> Void) {
        guard let memory = unsafe memory(size: MemoryLayout<UnsafeMutableRawPointer?>.size) else {
            return unsafe sqlite3_result_error_nomem(context)
        }
        box.calling {
            if let known = unsafe memory.pointee {
                unsafe body(Unmanaged<GroupBox>.fromOpaque(known).takeUnretainedValue().value)
            } else {
                let group = GroupBox(box.code())
                unsafe memory.pointee = Unmanaged.passRetained(group).toOpaque()
                body(group.value)
            }
        }
    }

    func finalize() {
        guard let box = unsafe box(AggregateBox.self) else { return }
        let memory = unsafe memory(size: 0)
        let group = unsafe memory?.pointee.map { unsafe Unmanaged<GroupBox>.fromOpaque($0).takeRetainedValue() }
        unsafe memory?.pointee = nil
        var result: Result<Value, any Error>?
        // SQLite has no memory for a group without rows.
        box.calling {
            let group = group?.value ?? box.code()
            result = Result { try group.finalize() }
        }
        unsafe finish(result)
    }

    private func memory(size: Int) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        unsafe sqlite3_aggregate_context(context, Int32(truncatingIfNeeded: size))?.assumingMemoryBound(
            to: UnsafeMutableRawPointer?.self)
    }

    // MARK: Results

    private func finish(_ result: Result<Value, any Error>?) {
        switch result {
        case .success(let value): unsafe give(value)
        case .failure(let error): unsafe fail(error)
        case nil: break
        }
    }

    private func give(_ value: Value) {
        // SQLite copies texts and blobs.
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: unsafe sqlite3_result_null(context)
        case .integer(let integer): unsafe sqlite3_result_int64(context, integer)
        case .real(let real): unsafe sqlite3_result_double(context, real)
        case .text(var text):
            text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) {
                    // Without an address SQLite would return NULL.
                    guard let start = $0.baseAddress else { return unsafe sqlite3_result_text(context, "", 0, nil) }
                    unsafe sqlite3_result_text64(context, start, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            unsafe bytes.withUnsafeBytes {
                guard let start = $0.baseAddress, !bytes.isEmpty else {
                    return unsafe sqlite3_result_zeroblob(context, 0)
                }
                unsafe sqlite3_result_blob64(context, start, UInt64($0.count), transient)
            }
        }
    }

    private func fail(_ error: any Error) {
        let error = StoreError(any: error)
        if error.status == .noMemory { return unsafe sqlite3_result_error_nomem(context) }
        unsafe sqlite3_result_error(context, error.message, -1)
    }
}
