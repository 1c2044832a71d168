/// An object, or none, whose references are counted when it is taken and when it is released, and
/// not at each use.
@safe struct Held<Object: AnyObject>: ~Copyable {
    private let object: Unmanaged<Object>?

    /// None.
    init() { unsafe object = nil }

    init(_ object: Object) { unsafe self.object = .passRetained(object) }

    deinit { unsafe object?.release() }

    /// Calls `body` with the object, if there is one. Its holder must not release it meanwhile.
    @inline(__always)
    func borrow<Result>(_ body: (Object) throws -> Result) rethrows -> Result? {
        unsafe try object?._withUnsafeGuaranteedRef(body)
    }

    /// The object, with a reference of its own.
    @inline(__always)
    var reference: Object? { unsafe object?.takeUnretainedValue() }
}
