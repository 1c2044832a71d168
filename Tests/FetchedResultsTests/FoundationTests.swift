import FetchedResults
import Foundation
import Testing

/// A program that imports Foundation as well needs no module name before any name.
@Suite struct FoundationTests {
    @Test func namesOfBothModulesAreUnambiguous() throws {
        let sort = Sort("name")
        let request = FetchRequest(entity: "items", sorts: [sort])
        let path = ListIndexPath(section: 1, row: 2)
        #expect(request.sorts.first?.keyPath == "name")
        #expect((path.section, path.row) == (1, 2))
        // Foundation's.
        #expect(IndexPath(indexes: [1, 2]).count == 2)
        #expect(SortDescriptor(\String.count).order == .forward)
    }

    private static let types: [Any.Type] = [
        ChangeSet.self, ChangeType.self, ColumnSet.self, Counters.self, EmptySections.self, FetchRequest.self,
        FetchedObject.self, FetchedResultsCollection.self, FetchedResultsController.self, ItemsWithoutSection.self,
        ListChanges.self, ListIndexPath.self, ListObjects.self, ObjectChange.self, Placeholder.self,
        ReplayError.self, ReplayedSection<Int, Int>.self, RereadReason.self, SectionChange.self, SectionInfo.self,
        SectionMap.self, SectionObjects.self, SequentialStep.self, ShownSection.self, ShownSections.self, Sort.self,
        StepRange.self, Store.self, StoreError.self, StoreOptions.self, Value.self,
    ]

    @Test func everyTypeIsOfThisPackage() {
        for type in Self.types {
            let module = String(reflecting: type).split(separator: ".").first.map(String.init)
            #expect(["ChangeSets", "FetchedResults", "ListEngine", "SQLiteKit"].contains(module), "\(type)")
        }
    }
}
