internal import LogFollower
internal import SQLiteKit

/// The committed state of the database to which a cached list belongs, and the way from there to
/// later states.
struct StateMark: Equatable {
    var stamp: DatabaseStamp
    /// The end of the write-ahead log; nil if that is not known.
    var log: LogMark?
    /// The last generation of the history that triggers record; nil if there is none.
    var generation: Int64?

    /// The place where the log has to begin to lead from a state to the present one; nil if there
    /// is none.
    ///
    /// A log that was written from its start leads from the state that the database file had as a
    /// whole, as long as nothing has written to that file.
    func beginningOfLog(now: DatabaseStamp, at position: LogPosition) -> LogMark? {
        if let log, log.mayLead(to: position) { return log }
        return now.hasSameFile(asWhole: stamp) ? .beginning : nil
    }

    // MARK: Bytes

    static let numberCount = DatabaseStamp.numberCount + LogMark.numberCount + 3

    /// The mark as numbers, from which `init(numbers:)` makes it again.
    var numbers: [UInt64] {
        stamp.numbers + [log == nil ? 0 : 1] + (log ?? .beginning).numbers
            + [generation == nil ? 0 : 1, UInt64(bitPattern: generation ?? 0)]
    }

    init(stamp: DatabaseStamp, log: LogMark?, generation: Int64?) {
        self.stamp = stamp
        self.log = log
        self.generation = generation
    }

    /// Reads `numberCount` of them.
    init(numbers: [UInt64]) {
        precondition(numbers.count == Self.numberCount, "not the numbers of a mark")
        let (log, history) = (DatabaseStamp.numberCount, DatabaseStamp.numberCount + 1 + LogMark.numberCount)
        stamp = DatabaseStamp(numbers: Array(numbers[..<log]))
        self.log = numbers[log] == 1 ? LogMark(numbers: Array(numbers[(log + 1)..<history])) : nil
        generation = numbers[history] == 1 ? Int64(bitPattern: numbers[history + 1]) : nil
    }
}
