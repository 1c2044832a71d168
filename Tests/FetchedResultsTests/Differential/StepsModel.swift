import FetchedResults
import SQLiteKit
import TestSupport

/// The steps that a store can undo, by what SELECT shows before and after each.
final class StepsModel {
    /// The rows of all tables by their keys.
    private typealias Contents = [[Value]: [Value]]

    private struct Step {
        let name: String
        let before: Contents
        let after: Contents

        /// The keys of the rows that it has changed.
        var keys: [[Value]] { Set(before.keys).union(after.keys).filter { before[$0] != after[$0] } }
    }

    /// Of its own, so that the other steps of a seed are the same.
    private var random: SeededRandom
    private var done: [Step] = []
    private var undone: [Step] = []
    private var begun: (name: String, before: Contents)?
    private var count = 0
    /// How many steps were reversed, and how many were refused because of rows.
    private(set) var reversed = 0
    private(set) var refused = 0

    init(_ seed: UInt64) { random = SeededRandom(seed: seed &* 37) }

    private func contents(_ world: World) throws -> Contents {
        var rows: Contents = [:]
        for table in world.schema.tables {
            let key = table.hasRowid ? ["rowid"] : table.key.map { "\"\($0.name)\"" }
            let names = key + table.columns.map { "\"\($0.name)\"" }
            for row in try world.oracle.connection.rows("SELECT \(names.joined(separator: ", ")) FROM \(table.name)") {
                rows[[.text(table.name)] + row.prefix(key.count)] = Array(row.dropFirst(key.count))
            }
        }
        return rows
    }

    func begin(in world: World) throws {
        count += 1
        begun = ("step \(count)", try contents(world))
        try world.store.beginStep("step \(count)")
    }

    func end(in world: World) {
        defer { begun = nil }
        do {
            guard let begun, try world.store.undoName == begun.name || contents(world) != begun.before else { return }
            let step = Step(name: begun.name, before: begun.before, after: try contents(world))
            if step.before == step.after { return world.note("a step is recorded that changed nothing") }
            done.append(step)
            undone = []
            if try world.store.undoName != begun.name { world.note("a step is not recorded") }
        } catch {
            world.note("step: \(error)")
        }
    }

    /// Undoes and redoes as many steps as possible, now and then.
    func reverseSome(in world: World) throws {
        guard random.chance(40) else { return }
        try world.settle()
        while !done.isEmpty, try reverse(in: world, undoes: true) {}
        while !undone.isEmpty, try reverse(in: world, undoes: false) {}
        if random.chance(50) { while !done.isEmpty, try reverse(in: world, undoes: true) {} }
        if !done.isEmpty, random.chance(30) {
            try world.store.discardSteps(1)
            done.removeLast()
            undone = []
        }
    }

    /// Reverses the next step, which must lead to the rows that it has changed as they were, or to
    /// nothing; false if it is refused.
    private func reverse(in world: World, undoes: Bool) throws -> Bool {
        guard let step = undoes ? done.last : undone.last else { return false }
        let (old, new) = undoes ? (step.after, step.before) : (step.before, step.after)
        let present = try contents(world)
        let changed = step.keys.filter { present[$0] != old[$0] }
        var expected = present
        for key in step.keys { expected[key] = new[key] }
        world.log(undoes ? "undo" : "redo")
        do {
            try undoes ? world.store.undo() : world.store.redo()
            if !changed.isEmpty { world.note("\(step.name) is reversed, although \(changed) changed since") }
            if try contents(world) != expected { world.note("\(step.name) is not reversed exactly") }
            if undoes { undone.append(done.removeLast()) } else { done.append(undone.removeLast()) }
            reversed += 1
            if !world.isQueued { try world.settle() }
            return true
        } catch let error as StoreError {
            if try contents(world) != present { world.note("a refused step has changed something: \(error)") }
            refused += 1
            switch error.status {
            case .gone: checkNames(error.message, changed, in: world)
            // Another writer's rows are in the way.
            case .constraint where changed.isEmpty: break
            case .schema: break
            default: world.note("\(step.name): \(error)")
            }
            if error.status != .schema, changed.isEmpty, present == old {
                world.note("\(step.name) is refused, although nothing has changed since: \(error)")
            }
            return false
        }
    }

    /// Whether a message names a row of each table in which rows have changed. Only by a key whose
    /// collation calls different texts equal can a row be in the way that the model does not see.
    private func checkNames(_ message: String, _ changed: [[Value]], in world: World) {
        let isCollated = world.schema.tables.contains { !$0.hasRowid && $0.key.contains { $0.collation != .binary } }
        if changed.isEmpty, !isCollated { world.note("refused without a conflict: \(message)") }
        guard changed.count < 8 else { return }
        for table in Set(changed.compactMap(\.first?.text)) where !message.contains("\(table) ") {
            world.note("\(table) is not named: \(message)")
        }
    }
}
