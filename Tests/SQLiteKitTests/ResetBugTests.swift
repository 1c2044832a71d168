import CSQLite
import Testing

@testable import SQLiteKit

@Suite struct ResetBugTests {
    @Test(arguments: [
        (3_006_999, false), (3_007_000, true), (3_040_001, true), (3_044_005, true), (3_044_006, false),
        (3_044_999, false), (3_045_000, true), (3_050_006, true), (3_050_007, false), (3_050_999, false),
        (3_051_000, true), (3_051_002, true), (3_051_003, false), (3_052_000, false), (4_000_000, false),
    ]) func theVersionsThatHaveItAreKnown(version: Int32, hasIt: Bool) {
        #expect(Connection.hasResetBug(version: version) == hasIt)
    }

    @Test func theVersionInUseIsNamedIfItHasIt() {
        let version = String(cString: sqlite3_libversion())
        #expect(
            Connection.versionWithResetBug
                == (Connection.hasResetBug(version: sqlite3_libversion_number()) ? version : nil))
    }
}
