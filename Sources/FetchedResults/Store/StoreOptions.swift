/// How a store is opened.
public struct StoreOptions: Sendable {
    /// Open for reading only; the file must exist.
    public var isReadOnly = false
    /// Create the file if it is missing.
    public var createsFile = true
    public var enforcesForeignKeys = true
    /// How long to wait for a lock, in milliseconds; 0 to not wait.
    public var busyTimeout: Int32 = 5000
    /// "wal", "delete", ...; nil for WAL in files that can be written.
    public var journalMode: String?
    /// Whether own commits are delivered at `dispatch` rather than before the commit returns.
    public var queuesDelivery = false
    /// The directory for lists that are kept by name; nil for `$XDG_CACHE_HOME/fetchedresults`, where that variable
    /// stands for `$HOME/.cache` if it is not set.
    public var cacheDirectory: String?

    public init() {}
}
