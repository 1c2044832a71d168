internal import Glibc

/// A locale of the C library, for its order of texts.
///
/// Texts are ordered by their transformed texts (strxfrm), both here and in the collation that
/// SQLite calls: in some versions of the C library strcoll has a different order.
///
/// Safe: it owns the handle, and the C library only reads through it.
@safe package final class Locale: Equatable, @unchecked Sendable {
    package let name: String
    private let handle: locale_t

    /// nil if the system has no such locale.
    package init?(name: String) {
        guard let handle = unsafe newlocale(LC_COLLATE_MASK | LC_CTYPE_MASK, name, nil) else { return nil }
        self.name = name
        unsafe self.handle = handle
    }

    deinit { unsafe freelocale(handle) }

    package static func == (a: Locale, b: Locale) -> Bool { a.name == b.name }

    /// Bytes that compare as the text does. The C library stops at a NUL, so the parts between NULs
    /// are transformed one by one.
    func transform(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        let parts = unsafe text.split(separator: 0, omittingEmptySubsequences: false)
        for index in unsafe parts.indices {
            if !result.isEmpty { result.append(0) }
            var terminated = unsafe parts[index].map { CChar(bitPattern: $0) }
            terminated.append(0)
            let needed = unsafe strxfrm_l(nil, terminated, 0, handle)
            let transformed = unsafe [CChar](unsafeUninitializedCapacity: needed + 1) { buffer, count in
                unsafe strxfrm_l(buffer.baseAddress, terminated, needed + 1, handle)
                count = needed
            }
            result.append(contentsOf: transformed.lazy.map { UInt8(bitPattern: $0) })
        }
        return result
    }
}
