import Foundation

/// The lines of docs/architecture.md, which has the tables of states.
func linesOfArchitecture() throws -> Set<String> {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let document = folder.appendingPathComponent("../../../docs/architecture.md").standardizedFileURL
    return Set(try String(contentsOf: document, encoding: .utf8).split(separator: "\n").map(String.init))
}
