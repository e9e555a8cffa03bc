// SPDX-License-Identifier: Apache-2.0

// The content of an `Any` is taken out of it without a cast, which takes ten times as long.

extension Value {
    /// The value of an `Any` that holds exactly a `String`, `Int`, `Int64`, `Double` or `Bool`; nil for all others.
    package init?(commonScalar input: Any) {
        let type = type(of: input)
        if type == String.self {
            self = .string(Text(unsafe content(of: input)))
        } else if type == Int.self {
            self = .integer(Int64(unsafe content(of: input, as: Int.self)))
        } else if type == Int64.self {
            self = .integer(unsafe content(of: input))
        } else if type == Double.self {
            self = .double(unsafe content(of: input))
        } else if type == Bool.self {
            self = .boolean(unsafe content(of: input))
        } else {
            return nil
        }
    }

    /// The array of an `Any` that holds exactly a `[String]`; nil for all others.
    package init?(strings input: Any) {
        guard type(of: input) == [String].self else { return nil }
        self = .array(unsafe content(of: input, as: [String].self).map { .string(Text($0)) })
    }
}

/// Values of up to three words lie in the `Any` itself.
@unsafe @inline(__always)
private func content<T>(of input: Any, as type: T.Type = T.self) -> T {
    assert(Swift.type(of: input) == type && MemoryLayout<T>.size <= 3 * MemoryLayout<Int>.size)
    return unsafe withUnsafeBytes(of: input) { unsafe $0.load(as: T.self) }
}
