import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport

/// The kinds of lists whose views are tested, each with the settings that can change.
extension WatchedList {
    /// Makes a list of each kind.
    static func makers(
        of store: Store, _ second: Store
    ) -> [(inout SeededRandom) throws -> WatchedList] {
        [
            { try controller(of: store, &$0) }, { try window(of: store, &$0) }, { try map(of: store, &$0) },
            { try keyedMap(of: store, &$0) }, { try collection(of: store, second, &$0) },
        ]
    }

    private static let nodes = NodeSizes(leafCapacity: 4, fanout: 4)

    private static func request(
        _ predicate: String? = nil, _ random: inout SeededRandom, section: Sort? = nil
    ) -> FetchRequest {
        let order = Sort(random.pick(["rank", "name", "list_id.position"]), isDescending: random.chance(30))
        return FetchRequest(entity: "items", predicate: predicate, sorts: [order], section: section)
    }

    private static func randomSection(_ random: inout SeededRandom) -> Sort? {
        random.chance(20)
            ? nil : Sort(random.pick(["kind", "list_id.title"]), isDescending: random.chance(30))
    }

    // MARK: Controllers

    private static func controller(of store: Store, _ random: inout SeededRandom) throws -> WatchedList {
        let predicate = random.pick([nil, "rank < 6", "list_id.position > 1"])
        let first = request(predicate, &random, section: randomSection(&random))
        return try controller("controller", store, first, &random) { random in
            request(random.pick([predicate, "rank > 1"]), &random, section: randomSection(&random))
        }
    }

    private static func window(of store: Store, _ random: inout SeededRandom) throws -> WatchedList {
        func windowed(_ random: inout SeededRandom) -> FetchRequest {
            var request = request(nil, &random, section: randomSection(&random))
            request.limit = 3 + random.below(6)
            request.offset = random.below(3)
            return request
        }
        return try controller("window", store, windowed(&random), &random, windowed)
    }

    private static func controller(
        _ name: String, _ store: Store, _ first: FetchRequest, _ random: inout SeededRandom,
        _ next: @escaping (inout SeededRandom) -> FetchRequest
    ) throws -> WatchedList {
        let list = try FetchedResultsController(store: store, request: first, nodes: nodes)
        return WatchedList(name, list, &random) {
            try FetchedResultsController(store: store, request: list.request, nodes: nodes)
        } change: { random in
            let request = next(&random)
            try list.setRequest(request)
            return "takes the request \(request)"
        }
    }

    // MARK: Section maps

    private static func map(of store: Store, _ random: inout SeededRandom) throws -> WatchedList {
        let items = request(random.pick([nil, "rank > 1"]), &random)
        var sections = FetchRequest(entity: "lists", sorts: [Sort("position")])
        let map = try SectionMap(
            store: store, items: items, sections: sections, itemKey: "list_id",
            emptySections: random.pick([.shown, .hidden]),
            itemsWithoutSection: random.pick([.shown, .hidden, .alwaysShown]),
            nodes: nodes)
        return WatchedList("map", map, &random) {
            try SectionMap(
                store: store, items: items, sections: sections, itemKey: "list_id", emptySections: map.emptySections,
                itemsWithoutSection: map.itemsWithoutSection, nodes: nodes)
        } change: { random in
            if random.chance(50) { return try changeOptions(of: map, &random) }
            sections.sorts = [
                Sort(random.pick(["position", "title"]), isDescending: random.chance(50))
            ]
            sections.predicate = random.pick([nil, "position > 1"])
            try map.setSectionRequest(sections)
            return "takes the sections \(sections)"
        }
    }

    private static func keyedMap(of store: Store, _ random: inout SeededRandom) throws -> WatchedList {
        let all: [Value] = ["a", "b", "c", "d", "e"]
        let items = request(nil, &random)
        var keys = random.some(all)
        let map = try SectionMap(store: store, items: items, sectionKeys: keys, itemKey: "kind", nodes: nodes)
        return WatchedList("map of keys", map, &random) {
            try SectionMap(
                store: store, items: items, sectionKeys: keys, itemKey: "kind", emptySections: map.emptySections,
                itemsWithoutSection: map.itemsWithoutSection, nodes: nodes)
        } change: { random in
            if random.chance(30) { return try changeOptions(of: map, &random) }
            keys = random.some(all)
            try map.setSectionKeys(keys)
            return "takes the keys \(keys.map { "\(Cell($0))" })"
        }
    }

    private static func changeOptions(of map: SectionMap, _ random: inout SeededRandom) throws -> String {
        if random.chance(50) {
            let empty = random.pick([EmptySections.shown, .hidden])
            try map.setEmptySections(empty)
            return "empty sections \(empty)"
        }
        let items = random.pick([ItemsWithoutSection.shown, .hidden, .alwaysShown])
        try map.setItemsWithoutSection(items)
        return "items without section \(items)"
    }

    // MARK: Collections

    private static func collection(
        of store: Store, _ second: Store, _ random: inout SeededRandom
    ) throws -> WatchedList {
        let kind = Sort("kind", isDescending: random.chance(30))
        let requests = [
            request("rank < 4", &random), request("kind < 'c'", &random, section: kind),
            request("rank > 5", &random, section: kind),
        ]
        let sections = FetchRequest(entity: "lists", sorts: [Sort("position")])
        let all = request(nil, &random)
        var lists: [() throws -> any LiveList] = requests.map { request in
            { try FetchedResultsController(store: store, request: request, nodes: nodes) }
        }
        lists.append { try FetchedResultsController(store: second, request: requests[1], nodes: nodes) }
        lists.append { try SectionMap(store: store, items: all, sections: sections, itemKey: "list_id", nodes: nodes) }
        lists.append { try FetchedResultsCollection([try lists[1](), try lists[4](), try lists[3]()]) }
        let children = try Children(of: lists, &random)
        return WatchedList(
            "collection", children.collection, &random, fresh: children.makeFresh, change: children.change)
    }
}

/// The children of a collection, and what they are made of, so that they can be made again.
private final class Children {
    private struct Child {
        let makeList: (() throws -> any LiveList)?
        var placeholder: String?
    }

    let collection = try! FetchedResultsCollection()
    private let lists: [() throws -> any LiveList]
    private var children: [Child] = []

    init(of lists: [() throws -> any LiveList], _ random: inout SeededRandom) throws {
        self.lists = lists
        for list in lists where random.chance(70) {
            let child = Child(makeList: list, placeholder: random.chance(40) ? "none" : nil)
            children.append(child)
            try put(child, into: collection, at: collection.numberOfChildren)
        }
    }

    private func put(_ child: Child, into collection: FetchedResultsCollection, at index: Int) throws {
        let placeholder = child.placeholder.map { Placeholder(name: $0) }
        if let makeList = child.makeList {
            try collection.insert(try makeList(), at: index, emptySection: placeholder)
        } else if let placeholder {
            try collection.insert(placeholder, at: index)
        }
    }

    func makeFresh() throws -> any LiveList {
        let fresh = try FetchedResultsCollection()
        for child in children { try put(child, into: fresh, at: fresh.numberOfChildren) }
        return fresh
    }

    func change(_ random: inout SeededRandom) throws -> String? {
        let count = children.count
        let child =
            random.chance(70)
            ? Child(makeList: random.pick(lists), placeholder: random.chance(30) ? "none" : nil)
            : Child(makeList: nil, placeholder: "between")
        switch random.below(4) {
        case 0 where count > 0:
            let index = random.below(count)
            children.remove(at: index)
            try collection.remove(at: index)
            return "loses child \(index)"
        case 1 where count > 0:
            let index = random.below(count)
            children[index] = child
            let placeholder = child.placeholder.map { Placeholder(name: $0) }
            if let makeList = child.makeList {
                try collection.replace(at: index, with: try makeList(), emptySection: placeholder)
            } else if let placeholder {
                try collection.replace(at: index, with: placeholder)
            }
            return "has another child \(index)"
        case 2:
            guard let index = children.firstIndex(where: { $0.placeholder != nil }) else { return nil }
            children[index].placeholder = "name \(random.below(9))"
            try collection.placeholder(at: index)?.name = children[index].placeholder
            return "renames the placeholder \(index)"
        default:
            let index = random.below(count + 1)
            children.insert(child, at: index)
            try put(child, into: collection, at: index)
            return "gains child \(index)"
        }
    }
}
