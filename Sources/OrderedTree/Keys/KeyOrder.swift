import Glibc

/// The order of full keys: by bytes, a key before its extensions.
@inline(__always)
func sorts(_ a: UnsafeRawBufferPointer, before b: UnsafeRawBufferPointer) -> Bool {
    let shared = min(a.count, b.count)
    if shared > 0, let left = a.baseAddress, let right = b.baseAddress {
        let order = memcmp(left, right, shared)
        if order != 0 { return order < 0 }
    }
    return a.count < b.count
}
