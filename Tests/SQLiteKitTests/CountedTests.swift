import SQLiteKit
import Testing

@Suite struct CountedTests {
    @Test func oneThingIsSingular() {
        #expect([0, 1, 2, -1].map { counted($0, "row") } == ["0 rows", "1 row", "2 rows", "-1 rows"])
    }

    @Test func anIndexOutOfRangeNamesHowManyThereAre() {
        let errors = [0, 1, 2].map { StoreError.outOfRange("section 5", count: $0) }
        #expect(
            errors.map(\.message) == [
                "section 5 is out of range: there are 0", "section 5 is out of range: there is 1",
                "section 5 is out of range: there are 2",
            ])
        #expect(errors.allSatisfy { $0.status == .range })
    }

    @Test func aStatementNamesItsParametersAndWhatItWasGiven() throws {
        let connection = try memoryConnection()
        let statement = try connection.prepare("SELECT ?")
        #expect {
            try statement.bind([.null, .null])
        } throws: {
            ($0 as? StoreError)?.message == "the statement has 1 parameter, but was given 2 values"
        }
    }
}
