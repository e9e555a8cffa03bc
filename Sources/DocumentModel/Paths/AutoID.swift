// SPDX-License-Identifier: Apache-2.0

/// Generates document IDs: 20 random letters and digits (D-4).
package enum AutoID {
    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return make(using: &generator)
    }

    package static func make(using generator: inout some RandomNumberGenerator) -> String {
        String(
            decoding: (0..<20).map { _ in characters[Int.random(in: 0..<characters.count, using: &generator)] },
            as: UTF8.self)
    }
}
