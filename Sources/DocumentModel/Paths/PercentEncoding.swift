// SPDX-License-Identifier: Apache-2.0

/// The `%2F` of URLs, which names of files borrow.
package enum PercentEncoding {
    /// Nil unless every `%` begins two hexadecimal digits and the bytes are UTF-8.
    package static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Writes every byte that is not one of `plain` as `%` and two digits.
    package static func encode(_ text: String, keeping plain: Set<UInt8>) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// A name as that of a file, whatever it is.
    package static func fileName(_ name: String) -> String { encode(name, keeping: fileNameBytes) }

    private static let fileNameBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_()".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    package static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
