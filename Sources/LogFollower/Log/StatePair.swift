package import SQLiteKit

/// The state that is held readable, and a second connection, which takes the next one. In a round
/// the second connection then keeps the state from before until the round ends.
///
/// One thread at a time uses it.
package final class StatePair {
    package private(set) var held: StateReader
    private(set) var spare: StateReader
    private var round = RoundPhase.none

    /// How far a round is.
    private enum RoundPhase {
        case none
        /// The held state is the one from before.
        case begun
        /// The second connection keeps the state from before.
        case keepsOld
    }

    /// Opens two connections to databases in WAL mode; nil if their pages are inaccessible. Throws
    /// if a database can't be opened.
    package init?(_ databases: [DatabaseFile]) throws(StoreError) {
        guard let held = try StateReader(databases) else { return nil }
        do {
            guard let spare = try StateReader(databases) else {
                held.close()
                return nil
            }
            (self.held, self.spare) = (held, spare)
        } catch {
            held.close()
            throw error
        }
    }

    package var connections: [Connection] { [held.connection, spare.connection] }

    package func close() {
        held.close()
        spare.close()
    }

    /// Has the second connection begin to show the present committed states. `take` or `drop`
    /// follows.
    func begin() throws(StoreError) -> [LogPosition] {
        try drop()
        return try spare.begin()
    }

    /// The same, if the committed states are `wanted`; false if they are other states.
    package func begin(at wanted: [LogPosition]) throws(StoreError) -> Bool {
        try drop()
        return try spare.begin(at: wanted)
    }

    /// Whether the second connection shows states that are not taken.
    package var hasBegun: Bool { spare.isHeld && old == nil }

    /// Holds the states that the second connection shows, in place of the held ones.
    package func take() throws(StoreError) {
        swap(&held, &spare)
        if case .begun = round, spare.isHeld { round = .keepsOld }
        if old == nil { try spare.end() }
    }

    /// Ends what the second connection shows.
    package func drop() throws(StoreError) {
        if case .keepsOld = round { round = .begun }
        try spare.end()
    }

    /// Holds no state.
    package func release() throws(StoreError) {
        try drop()
        try held.end()
    }

    /// A round begins: the states that are held now stay readable until it ends, beside the next
    /// ones.
    package func beginRound() { round = .begun }

    package func endRound() throws(StoreError) {
        let keepsOld = old != nil
        round = .none
        if keepsOld { try spare.end() }
    }

    /// The connection that still shows the states that were held when the round began; nil if no
    /// other states were taken since.
    package var old: Connection? { if case .keepsOld = round { spare.connection } else { nil } }
}
