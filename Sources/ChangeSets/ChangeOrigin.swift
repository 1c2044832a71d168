/// The causes of the changes of a delivery. Raw values equal the values of the C interface.
///
/// A delivery can have several causes, as when a store has committed between two dispatches and
/// another connection as well. The origin then has all of them, and does not say which record has
/// which.
public struct ChangeOrigin: OptionSet, Hashable, Sendable {
    /// The flags.
    public let rawValue: UInt32

    /// The origin with these flags.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The connection of the list's store wrote: the store, or the program on a connection that the
    /// store adopted. A transaction that was rolled back counts as well.
    public static let store = ChangeOrigin(rawValue: 1)
    /// Another connection committed, of this process or of another one.
    public static let foreign = ChangeOrigin(rawValue: 2)
    /// The program changed what the list shows: it set another request, other sections, or other
    /// lists of a collection.
    public static let request = ChangeOrigin(rawValue: 4)
    /// The list caught up after a pause.
    public static let resume = ChangeOrigin(rawValue: 8)
    /// The program fetched the list inside a callback of the delivery, or a list that a collection
    /// shows.
    public static let fetch = ChangeOrigin(rawValue: 16)
}

extension ChangeOrigin: CustomStringConvertible {
    /// The names of the flags, joined by " | ", for a log.
    public var description: String {
        let names: [(ChangeOrigin, String)] = [
            (.store, "store"), (.foreign, "foreign"), (.request, "request"), (.resume, "resume"), (.fetch, "fetch"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " | ")
    }
}
