// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

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
        .target(name: "OrderedTree", dependencies: ["CPrefetch"], swiftSettings: strict + [.strictMemorySafety()]),
        .target(name: "ChangeSets", swiftSettings: strict + [.strictMemorySafety()]),
        .target(name: "SQLiteKit", dependencies: ["CSQLite"], swiftSettings: strict + [.strictMemorySafety()]),
        .target(
            name: "LogFollower", dependencies: ["CSQLite", "SQLiteKit"],
            swiftSettings: strict + [.strictMemorySafety()]),
        .target(
            name: "ListEngine", dependencies: ["OrderedTree", "ChangeSets", "SQLiteKit", "CPrefetch"],
            swiftSettings: strict + [.strictMemorySafety()]),
        .target(
            name: "FetchedResults",
            dependencies: ["ListEngine", "LogFollower", "OrderedTree", "ChangeSets", "SQLiteKit"],
            swiftSettings: strict + [.strictMemorySafety()]),
        // No part of the C library, which would otherwise contain the runtime of Swift's
        // concurrency. Like the views, it sees of FetchedResults what any program sees.
        .target(
            name: "FetchedResultsAsync", dependencies: ["FetchedResults"], packageAccess: false,
            swiftSettings: strict + [.strictMemorySafety()]),
        .target(
            name: "FetchedResultsViews", dependencies: ["FetchedResults"], packageAccess: false,
            swiftSettings: strict + [.strictMemorySafety()]),
        .target(
            name: "FetchedResultsC",
            dependencies: [
                "FetchedResultsViews", "FetchedResults", "ListEngine", "SQLiteKit", "ChangeSets", "CFetchedResults",
            ],
            swiftSettings: strict + [.strictMemorySafety()]),
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
