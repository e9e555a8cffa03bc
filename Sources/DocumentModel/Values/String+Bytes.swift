// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Shows the UTF-8 bytes, as `withUTF8` does, which knows no typed errors.
    @inline(__always)
    func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        var string = self
        let result = string.withUTF8 { utf8 in
            Result { () throws(E) in unsafe try body(UnsafeRawBufferPointer(utf8)) }
        }
        return try result.get()
    }
}
