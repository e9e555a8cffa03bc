// SPDX-License-Identifier: Apache-2.0

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with zero, three or six digits of fraction: `2024-01-01T00:00:00.123Z`.
    package var description: String {
        let seconds = Timestamp.floorDivide(microseconds, 1_000_000)
        let fraction = microseconds - seconds * 1_000_000
        let days = Timestamp.floorDivide(seconds, 86_400)
        let time = Int(seconds - days * 86_400)
        let (year, month, day) = Timestamp.civil(fromDays: days)
        let clock = [time / 3_600, time / 60 % 60, time % 60].map { Timestamp.padded($0, 2) }.joined(separator: ":")
        let date = [Timestamp.padded(year, 4), Timestamp.padded(month, 2), Timestamp.padded(day, 2)]
        return date.joined(separator: "-") + "T" + clock + Timestamp.fractionText(Int(fraction)) + "Z"
    }

    /// Parses RFC 3339 with `Z` or an offset and up to nine digits of fraction. Digits beyond microseconds are rounded
    /// down (V-13).
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        self.init(rfc3339: unsafe bytes.span.bytes)
    }

    /// Like ``init(rfc3339:)-(String)``, from UTF-8 bytes.
    init?(rfc3339 text: RawSpan) {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), scanner.skip("T") || scanner.skip("t"), let hour = scanner.digits(2),
            scanner.skip(":"), let minute = scanner.digits(2), scanner.skip(":"), let second = scanner.digits(2),
            let fraction = scanner.fraction(), let offset = scanner.zone(), scanner.isAtEnd,
            (1...12).contains(month), (1...Timestamp.days(inMonth: month, year)).contains(day), hour < 24, minute < 60,
            second < 60, year > 0
        else { return nil }
        let days = Timestamp.days(fromCivil: year, month, day)
        let seconds = days * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset * 60)
        self.init(microseconds: seconds * 1_000_000 + Int64(fraction))
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func fractionText(_ microseconds: Int) -> String {
        if microseconds == 0 { return "" }
        if microseconds % 1_000 == 0 { return "." + padded(microseconds / 1_000, 3) }
        return "." + padded(microseconds, 6)
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    private static func days(inMonth month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar. Years begin in March, so that leap days are last.
    private static func days(fromCivil year: Int, _ month: Int, _ day: Int) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    private static func civil(fromDays days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = Int(days) + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

/// Reads fixed-width decimal fields.
private struct DigitScanner: ~Escapable {
    private let text: RawSpan
    private var position = 0

    @_lifetime(copy text)
    init(_ text: RawSpan) {
        self.text = text
    }

    var isAtEnd: Bool { position == text.byteCount }

    @_lifetime(self: copy self)
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.byteCount, byte(position) == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    @_lifetime(self: copy self)
    mutating func digits(_ count: Int) -> Int? {
        guard text.byteCount - position >= count else { return nil }
        var number = 0
        for place in position..<position + count {
            let digit = byte(place) &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        position += count
        return number
    }

    private func byte(_ offset: Int) -> UInt8 { unsafe text.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// Microseconds; zero if there is no fraction.
    @_lifetime(self: copy self)
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        var microseconds = 0
        var count = 0
        while count < 9, let digit = digits(1) {
            if count < 6 { microseconds = microseconds * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 6 - count) { microseconds *= 10 }
        return microseconds
    }

    /// Minutes east of Greenwich.
    @_lifetime(self: copy self)
    mutating func zone() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = digits(2), skip(":"), let minutes = digits(2), hours < 24, minutes < 60
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }
}
