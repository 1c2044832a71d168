internal import CFetchedResults

/// The user data of a callback, whose `destroy` is called when nobody holds it any more: exactly once.
final class UserData {
    let pointer: UnsafeMutableRawPointer?
    private let destroy: fr_destroy?

    init(_ pointer: UnsafeMutableRawPointer?, _ destroy: fr_destroy?) {
        self.pointer = pointer
        self.destroy = destroy
    }

    deinit {
        if let destroy { LastError.preserving { destroy(pointer) } }
    }
}
