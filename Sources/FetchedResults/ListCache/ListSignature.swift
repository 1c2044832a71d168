internal import ListEngine
internal import SQLiteKit

/// Everything on which a list depends except the data: two lists of one signature and one state of
/// the database are the same.
struct ListSignature {
    private(set) var bytes: [UInt8] = []

    init(_ compiled: CompiledRequest, database: String, dialect: String) {
        append(text: "FetchedResults 2")
        appendSamples()
        append(text: dialect)
        append(text: database)
        append(compiled)
        append(number: compiled.hasByteKeys ? 1 : 0)
    }

    /// Keys of all kinds, so that a list whose keys were made in another way has another signature.
    private mutating func appendSamples() {
        let values: [Value] = [nil, -5, .integer(1 << 60), 2.5, "aB\0 ", .blob([0, 255])]
        let components = [
            KeyComponent(), KeyComponent(collation: .nocase, isDescending: true),
            KeyComponent(collation: .rtrim, nullsFirst: false),
            KeyComponent(collation: .binaryUTF16(isBigEndian: false)),
        ]
        for component in components {
            for value in values { bytes += RowValues.Part(RowValues([value]), 0).encoded(component) }
        }
        unsafe append(number: Int(bytes.withUnsafeBytes { unsafe KeyHash.hash32($0) }))
    }

    var hash: UInt64 { unsafe bytes.withUnsafeBytes { unsafe KeyHash.hash64($0) } }

    /// The statement that reads the list, with the values of its parameters. It names order,
    /// sections, the end of the window and the predicate; the details that it leaves to the schema
    /// are part of the database.
    mutating func append(_ compiled: CompiledRequest) {
        append(text: compiled.keys.inOrder.sql)
        append(number: compiled.request.offset)
        append(texts: compiled.request.identity)
        append(text: compiled.request.section?.keyPath ?? "")
        append(text: compiled.sectionComponent?.collation.name ?? "")
        switch compiled.request.parameters {
        case .positional(let values): append(values: values)
        case .named(let values):
            append(texts: values.map(\.name))
            append(values: values.map(\.value))
        }
    }

    mutating func append(number: Int) {
        unsafe withUnsafeBytes(of: Int64(number)) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func append(text: String) {
        append(number: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(texts: [String]) {
        append(number: texts.count)
        for text in texts { append(text: text) }
    }

    mutating func append(values: [Value]) {
        let rowValues = RowValues(values)
        append(number: values.count)
        unsafe append(number: rowValues.image.count)
        unsafe bytes.append(contentsOf: rowValues.image)
    }
}
