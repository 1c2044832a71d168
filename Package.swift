// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

// The optimizer, by whole modules, for all but the tests, which then run in a third of the time;
// assertions stay. Only make check sets the variable, since no package may depend on one with
// unsafe flags.
let isOptimized = Context.environment["FR_OPTIMIZED_CORE"] != nil
let core =
    strict + [.strictMemorySafety()]
    + (isOptimized ? [.unsafeFlags(["-O", "-wmo", "-num-threads", "2", "-assert-config", "Debug"])] : [])

let package = Package(
    name: "FetchedResults",
    products: [
        .library(name: "FetchedResults", targets: ["FetchedResults"]),
        .library(name: "FetchedResultsAsync", targets: ["FetchedResultsAsync"]),
        .library(name: "FetchedResultsViews", targets: ["FetchedResultsViews"]),
        .library(name: "fetchedresults", type: .dynamic, targets: ["FetchedResultsC"]),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CFetchedResults", path: "include"),
        .systemLibrary(name: "CPrefetch"),
        .target(name: "OrderedTree", dependencies: ["CPrefetch"], swiftSettings: core),
        .target(name: "ChangeSets", swiftSettings: core),
        .target(name: "SQLiteKit", dependencies: ["CSQLite"], swiftSettings: core),
        .target(
            name: "LogFollower", dependencies: ["CSQLite", "SQLiteKit"],
            swiftSettings: core),
        .target(
            name: "ListEngine", dependencies: ["OrderedTree", "ChangeSets", "SQLiteKit", "CPrefetch"],
            swiftSettings: core),
        .target(
            name: "FetchedResults",
            dependencies: ["ListEngine", "LogFollower", "OrderedTree", "ChangeSets", "SQLiteKit"],
            swiftSettings: core),
        // No part of the C library, which would otherwise contain the runtime of Swift's
        // concurrency. Like the views, it sees of FetchedResults what any program sees.
        .target(
            name: "FetchedResultsAsync", dependencies: ["FetchedResults"], packageAccess: false,
            swiftSettings: core),
        .target(
            name: "FetchedResultsViews", dependencies: ["FetchedResults"], packageAccess: false,
            swiftSettings: core),
        .target(
            name: "FetchedResultsC",
            dependencies: [
                "FetchedResultsViews", "FetchedResults", "ListEngine", "SQLiteKit", "ChangeSets", "CFetchedResults",
            ],
            swiftSettings: core),
        .target(
            name: "TestSupport", dependencies: ["FetchedResults", "ListEngine", "ChangeSets", "SQLiteKit"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        .testTarget(name: "OrderedTreeTests", dependencies: ["OrderedTree", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "ChangeSetsTests", dependencies: ["ChangeSets", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SQLiteKitTests", dependencies: ["SQLiteKit", "CSQLite", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "LogFollowerTests", dependencies: ["LogFollower", "SQLiteKit", "CSQLite", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ListEngineTests",
            dependencies: ["ListEngine", "OrderedTree", "ChangeSets", "SQLiteKit", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "FetchedResultsTests",
            dependencies: [
                "TestSupport", "FetchedResults", "FetchedResultsAsync", "ListEngine", "OrderedTree", "ChangeSets",
                "SQLiteKit", "CSQLite",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FetchedResultsViewsTests",
            dependencies: ["FetchedResultsViews", "TestSupport", "FetchedResults", "ChangeSets", "SQLiteKit"],
            swiftSettings: strict),
    ]
)
