internal import SQLiteKit

/// The cost of following.
package struct LogCounters: Sendable {
    /// States that were followed page by page.
    package internal(set) var advances = 0
    /// How many of them were computed before they were needed.
    package internal(set) var stepsAhead = 0
    /// Frames of the log in these states.
    package internal(set) var frames = 0
    /// Rows that were found in them.
    package internal(set) var rowsFound = 0
    /// How often the pages above all leaves were read.
    package internal(set) var maps = 0
    /// How often the changed rows were unknown, by reason.
    package internal(set) var uncertain: [Uncertainty: Int] = [:]

    package init() {}

    mutating func addRows(_ changes: [TableChange]) {
        for change in changes { rowsFound += change.rowids.count + change.oldRecords.count + change.newRecords.count }
    }

    package mutating func add(_ uncertainty: Uncertainty) { uncertain[uncertainty, default: 0] += 1 }

    package mutating func add(_ other: LogCounters) {
        advances += other.advances
        stepsAhead += other.stepsAhead
        frames += other.frames
        rowsFound += other.rowsFound
        maps += other.maps
        uncertain.merge(other.uncertain, uniquingKeysWith: +)
    }
}
