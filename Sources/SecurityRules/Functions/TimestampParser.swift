// SPDX-License-Identifier: Apache-2.0

/// RFC 3339 as the emulator reads it, which leaves that to Java: numbers have any number of digits, perhaps blanks and a minus before
/// them, and roll over; anything may stand behind the seconds, and behind nine digits of a fraction. Java's exponents and digits of
/// other scripts are not read.
struct TimestampParser {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    func parse() -> RuleTimestamp? {
        guard let day = bytes.firstIndex(of: UInt8(ascii: "T")), let zone = zone(behind: day) else { return nil }
        let time = bytes[..<zone]
        let point = time.firstIndex(of: UInt8(ascii: ".")) ?? zone
        guard let seconds = seconds(time[..<point]), let nanoseconds = nanoseconds(time[point...].dropFirst()),
            let offset = offset(bytes[zone...])
        else { return nil }
        return RuleTimestamp(seconds: seconds &- offset, nanoseconds: nanoseconds)
    }

    /// Where the zone begins: at the first Z behind the day, else at the first plus, else at the first minus.
    private func zone(behind day: Int) -> Int? {
        for sign in "Z+-".utf8 {
            if let place = bytes[day...].firstIndex(of: sign) { return place }
        }
        return nil
    }

    private func seconds(_ text: ArraySlice<UInt8>) -> Int64? {
        var rest = text
        var numbers: [Int64] = []
        for separator in "--T::".utf8 {
            guard let number = number(&rest), rest.popFirst() == separator else { return nil }
            numbers.append(number)
        }
        guard let second = number(&rest) else { return nil }
        let days = Times.days(numbers[0], numbers[1], numbers[2])
        return days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + second
    }

    /// A number of 32 bits: Java takes the last ones of what 64 can hold.
    private func number(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        let digits = rest.prefix(while: TimestampParser.isDigit)
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        guard let number = Int64((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)) else {
            return Int64(isNegative ? Int32.min : Int32.max)
        }
        return Int64(Int32(truncatingIfNeeded: number))
    }

    /// Nine digits, of which zeros at the end may be missing.
    private func nanoseconds(_ text: ArraySlice<UInt8>) -> Int32? {
        let digits = text.prefix(9)
        guard digits.allSatisfy(TimestampParser.isDigit) else { return nil }
        let number = digits.reduce(Int32(0)) { $0 * 10 + Int32($1 - 0x30) }
        return (digits.count..<9).reduce(number) { number, _ in number * 10 }
    }

    /// In seconds. Java's sums wrap around.
    private func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
        let text = zone.dropFirst()
        if zone.first == UInt8(ascii: "Z") { return text.isEmpty ? 0 : nil }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            let hours = Int64(String(decoding: text[..<colon], as: UTF8.self)),
            let minutes = Int64(String(decoding: text[colon...].dropFirst(), as: UTF8.self))
        else { return nil }
        let seconds = (hours &* 60 &+ minutes) &* 60
        return zone.first == UInt8(ascii: "-") ? 0 &- seconds : seconds
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
