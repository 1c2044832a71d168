/// How a store is opened.
public struct StoreOptions: Sendable {
    /// Open for reading only; the file must exist.
    public var isReadOnly = false
    /// Open a file that nobody changes as long as it is open: for reading only, without locks, and without a
    /// write-ahead log, whose content is not read. So a database in WAL mode can be opened from a directory that can't
    /// be written to.
    public var isImmutable = false
    /// Create the file if it is missing.
    public var createsFile = true
    public var enforcesForeignKeys = true
    /// How long to wait for a lock, in milliseconds; 0 to not wait.
    public var busyTimeout: Int32 = 5000
    /// "wal", "delete", ...; nil for WAL in files that can be written, and for that of the file in others.
    public var journalMode: String?
    /// Whether own commits are delivered at `dispatch` rather than before the commit returns.
    public var queuesDelivery = false
    /// The directory for lists with cache names; nil for `$XDG_CACHE_HOME/fetchedresults`, where that variable stands
    /// for `$HOME/.cache` if it is not set. One that others can write to is not used, unless its sticky bit is set.
    public var cacheDirectory: String?

    public init() {}
}
