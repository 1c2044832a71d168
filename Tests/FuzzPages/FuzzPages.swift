import Foundation
import SQLiteKit

// The target of libFuzzer, which has the main function (https://llvm.org/docs/LibFuzzer.html).

/// Follows the pages that bytes describe. A crash is a trap, an address that is not in an array, a
/// recursion without end, or more pages and bytes than the input allows.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    followFuzzedPages([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// With FR_SEED_FOLDER, writes what SQLite itself makes into that folder, and ends.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    guard let folder = ProcessInfo.processInfo.environment["FR_SEED_FOLDER"] else { return 0 }
    do {
        for seed in 0..<UInt64(40) {
            let bytes = try SeedPages.pair(seed: seed).bytes
            guard FileManager.default.createFile(atPath: "\(folder)/seed-\(seed)", contents: Data(bytes)) else {
                exit(1)
            }
        }
    } catch {
        print("fuzz-pages: \(error)")
        exit(1)
    }
    exit(0)
}
