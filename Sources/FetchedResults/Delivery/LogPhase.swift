/// How far the log of a database is followed; docs/architecture.md has the table.
enum LogPhase<Log> {
    /// Never: the database has no file, or the program does not want it.
    case never
    /// Not before a round has read the lists.
    case off
    /// Not before the program has used the database for itself: it is encrypted, and only the
    /// store's connection can read it.
    case unreadable
    /// As soon as lists show something.
    case possible
    /// The log is open, so that its position is known.
    case open(Log)
    /// The states that the lists show are followed.
    case on(Log)

    /// An event that concerns the log.
    enum Event {
        case opened(Log)
        /// It can't be opened: the database is in another mode.
        case missing
        case encrypted
        /// The lists show the state that is followed from now on.
        case begun
        case closed
        /// A round reads the lists as a whole, so that following can begin again.
        case listsRead
        /// A statement needs the database for itself. The log is closed.
        case paused
    }

    /// The log; nil if it is not open.
    var log: Log? {
        switch self {
        case .never, .off, .unreadable, .possible: nil
        case .open(let log), .on(let log): log
        }
    }

    /// The phase after an event.
    func after(_ event: Event) -> LogPhase {
        switch self {
        case .never: return self
        case .off:
            switch event {
            case .listsRead, .paused: return .possible
            case .opened, .missing, .encrypted, .begun, .closed: return self
            }
        case .unreadable:
            switch event {
            case .paused: return .possible
            case .opened, .missing, .encrypted, .begun, .closed, .listsRead: return self
            }
        case .possible:
            switch event {
            case .opened(let log): return .open(log)
            case .missing: return .off
            case .encrypted: return .unreadable
            case .begun, .closed, .listsRead, .paused: return self
            }
        case .open(let log):
            switch event {
            case .begun: return .on(log)
            case .closed: return .possible
            case .opened, .missing, .encrypted, .listsRead, .paused: return self
            }
        case .on:
            switch event {
            case .closed: return .off
            case .opened, .missing, .encrypted, .begun, .listsRead, .paused: return self
            }
        }
    }
}
