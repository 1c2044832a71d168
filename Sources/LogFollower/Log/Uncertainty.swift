/// Why the log does not say which rows changed. What follows the database then reads it as a whole.
package enum Uncertainty: Int, Error, CaseIterable, Sendable {
    /// The schema, the page size or the mode of vacuuming changed.
    case layout = 0
    /// More changed than is worth comparing.
    case tooMany = 1
    /// The log was begun from its start again before its frames were read.
    case restarted = 2
    /// The pages do not fit together, or can't be read as SQLite's (encryption).
    case pages = 3
    /// The snapshot was released, or could not be taken.
    case snapshot = 4
    /// Another connection committed so close to a commit of this one that they can't be told apart.
    case raced = 5
    /// What a row showed before can't be read.
    case image = 6
}
