// SPDX-License-Identifier: Apache-2.0

/// Numbers as Java reads and writes them.
enum JavaNumbers {
    /// As `Double.toString`: `1.0`, `1.0E7`, `1.0E-4`.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        let sign = number.sign == .minus ? "-" : ""
        guard number != 0 else { return sign + "0.0" }
        // The shortest digits are 5, but Java writes two at least, and then the nearest.
        if number.magnitude == .leastNonzeroMagnitude { return sign + "4.9E-324" }
        let (digits, exponent) = decimal(number.magnitude)
        guard (-3..<7).contains(exponent) else {
            let fraction = digits.count > 1 ? String(digits.dropFirst()) : "0"
            return "\(sign)\(digits.prefix(1)).\(fraction)E\(exponent)"
        }
        if exponent < 0 { return "\(sign)0.\(String(repeating: "0", count: -exponent - 1))\(digits)" }
        let whole = digits.prefix(exponent + 1)
        let padded = whole + String(repeating: "0", count: exponent + 1 - whole.count)
        let fraction = digits.dropFirst(exponent + 1)
        return "\(sign)\(padded).\(fraction.isEmpty ? "0" : fraction)"
    }

    /// The shortest digits and the exponent of the first one.
    private static func decimal(_ number: Double) -> (digits: String, exponent: Int) {
        let text = "\(number)"
        let parts = text.split(separator: "e")
        var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var digits = String(mantissa[0])
        exponent += digits.count - 1
        if mantissa.count > 1 { digits += mantissa[1] }
        let leading = digits.prefix { $0 == "0" }.count
        digits.removeFirst(leading)
        exponent -= leading
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return (digits, exponent)
    }

    /// As `Double.parseDouble`: blanks around, a suffix of `f` or `d`, hexadecimal with an exponent, no `inf`.
    static func parse(_ text: String) -> Double? {
        let scalars = text.unicodeScalars
        let body = scalars.drop { $0.value <= 0x20 }
        guard let last = body.lastIndex(where: { $0.value > 0x20 }) else { return nil }
        var literal = String(String.UnicodeScalarView(body[...last]))
        let unsigned = literal.hasPrefix("-") || literal.hasPrefix("+") ? String(literal.dropFirst()) : literal
        if unsigned == "NaN" { return .nan }
        if unsigned == "Infinity" { return literal.hasPrefix("-") ? -.infinity : .infinity }
        let isHex = unsigned.hasPrefix("0x") || unsigned.hasPrefix("0X")
        if let suffix = literal.last, "fFdD".contains(suffix), !isHex || literal.contains(where: { "pP".contains($0) })
        {
            literal.removeLast()
        }
        let allowed = isHex ? "0123456789abcdefABCDEFxXpP.+-" : "0123456789eE.+-"
        guard literal.allSatisfy(allowed.contains), literal.contains(where: \.isASCIIDigit) else { return nil }
        if isHex, !literal.contains(where: { "pP".contains($0) }) { return nil }
        return Double(normalized(literal))
    }

    /// `.5` and `5.` with digits on both sides of the point.
    private static func normalized(_ literal: String) -> String {
        guard let point = literal.firstIndex(of: ".") else { return literal }
        var text = literal
        let after = text.index(after: point)
        if after == text.endIndex || !text[after].isHexDigit { text.insert("0", at: after) }
        if point == text.startIndex || !text[text.index(before: point)].isHexDigit { text.insert("0", at: point) }
        return text
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
