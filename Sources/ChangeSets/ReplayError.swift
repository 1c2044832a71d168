/// A change set, or a step of it, that is impossible on the list that it was replayed on.
public struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with which record.
    public let reason: String

    public var description: String { reason }
}
