import FetchedResults
import Glibc

/// A line of the table, and what the last commit did to it.
struct Line {
    let text: String
    var note: String?

    var shown: String { note.map { "\(text) \($0)" } ?? text }
}

/// Shows a list of players in a terminal.
final class Table: FetchedResultsObserver {
    private let players: FetchedResultsController
    private let clearsScreen: Bool

    init(_ players: FetchedResultsController, clearsScreen: Bool) {
        self.players = players
        self.clearsScreen = clearsScreen
    }

    func show(_ changes: ChangeSet? = nil) throws {
        var lines: [Line] = []
        for (row, player) in players.objects.enumerated() {
            lines.append(Line(text: try Self.text(row, player.get())))
        }
        for change in changes?.objectChanges ?? [] {
            if let new = change.newPath {
                lines[new.row].note = Self.note(change)
            }
        }
        print(clearsScreen ? "\u{1B}[H\u{1B}[2J" : "", terminator: "")
        for line in lines {
            print(line.shown)
        }
        print()
        fflush(nil)
    }

    private static func text(_ row: Int, _ player: FetchedObject) -> String {
        let name = player["name"]?.text ?? ""
        let points = "\(player["points"]?.integer ?? 0)"
        return "\(row + 1). " + name
            + String(repeating: " ", count: max(1, 16 - name.count - points.count))
            + points
    }

    private static func note(_ change: ObjectChange) -> String {
        guard let old = change.oldPath, let new = change.newPath else { return "new" }
        return switch old.row - new.row {
        case 0: "="
        case let rows where rows > 0: "up \(rows)"
        case let rows: "down \(-rows)"
        }
    }

    func list(_ list: any LiveList, didDeliver changes: ListChanges) {
        do {
            try show(changes.changeSet)
        } catch {
            print(error)
        }
    }
}

func openStore(_ path: String) throws -> Store {
    let store = try Store(path: path)
    try store.execute(
        """
        CREATE TABLE IF NOT EXISTS players (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, points INTEGER DEFAULT 0)
        """
    )
    return store
}

func bestPlayers(of store: Store) throws -> FetchedResultsController {
    var request = FetchRequest(
        entity: "players", sorts: [Sort("points", isDescending: true), Sort("name")])
    request.limit = 5
    let players = try FetchedResultsController(store: store, request: request)
    try players.performFetch()
    return players
}

/// Shows what other processes commit, until a line is typed.
func follow(_ store: Store) throws {
    var events = [
        pollfd(fd: try store.fileDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&events, 2, -1) > 0, events[1].revents == 0 {
        _ = try store.dispatch()
    }
}

/// A game in memory.
func play(_ store: Store) throws {
    try store.execute(
        """
        INSERT INTO players (name, points)
        VALUES ('Ada', 70), ('Grace', 60), ('Edsger', 50)
        """
    )
    try store.execute("UPDATE players SET points = 65 WHERE name = 'Edsger'")
    try store.execute(
        "UPDATE players SET points = points + 20 WHERE name IN ('Ada', 'Grace')")
    try store.execute("INSERT INTO players (name, points) VALUES ('Barbara', 85)")
}

let path = CommandLine.arguments.dropFirst().first
let store = try openStore(path ?? ":memory:")
let players = try bestPlayers(of: store)
let table = Table(players, clearsScreen: path != nil)
players.addObserver(table)
if path == nil {
    try play(store)
} else {
    try table.show()
    try follow(store)
}
try store.close()
