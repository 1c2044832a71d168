// What a program that imports FetchedResults needs by name: requests, values, errors, and the vocabulary of changes.
@_exported public import ChangeSets
@_exported public import ListEngine
@_exported public import SQLiteKit
