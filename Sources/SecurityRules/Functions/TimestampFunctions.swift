// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

enum TimestampFunctions {
    static func call(_ function: FreeFunction, _ arguments: [RuleValue]) throws(EvaluationError) -> RuleValue? {
        if function == .timestampDate {
            guard arguments.count == 3, case .int(let year) = arguments[0], case .int(let month) = arguments[1],
                case .int(let day) = arguments[2]
            else { return nil }
            return .timestamp(try date(year, month, day))
        }
        guard arguments.count == 1 else { return nil }
        switch arguments[0] {
        case .int(let milliseconds):
            let seconds = milliseconds.flooringQuotient(by: 1_000)
            return .timestamp(try Times.timestamp(seconds, (milliseconds &- seconds &* 1_000) * 1_000_000))
        case .string(let text):
            var parser = TimestampParser(text.string)
            guard let time = parser.parse() else { throw Times.timestampRange }
            return .timestamp(time)
        default: return nil
        }
    }

    private static func date(_ year: Int64, _ month: Int64, _ day: Int64) throws(EvaluationError) -> RuleTimestamp {
        guard (1...9999).contains(year) else {
            throw .other("Timestamp should be between 0001-01-01T00.00.00Z and 9999-12-31T23.59.59Z. year: \(year).")
        }
        guard (1...12).contains(month), (1...31).contains(day),
            Times.date(ofDay: Times.days(year, month, day)).month == month
        else {
            throw .other("Date is not valid. year: \(year), month: \(month) day: \(day).")
        }
        return try Times.timestamp(Times.days(year, month, day) * 86_400, 0)
    }

    static func call(_ method: Method, _ time: RuleTimestamp, _ arguments: [RuleValue]) -> RuleValue? {
        guard arguments.isEmpty else { return nil }
        let days = time.seconds.flooringQuotient(by: 86_400)
        let secondOfDay = time.seconds - days * 86_400
        let date = Times.date(ofDay: days)
        switch method {
        case .date: return RuleTimestamp(seconds: days * 86_400, nanoseconds: 0).map(RuleValue.timestamp)
        case .time:
            return RuleDuration(seconds: secondOfDay, nanoseconds: Int64(time.nanoseconds)).map(RuleValue.duration)
        case .year: return .int(date.year)
        case .month: return .int(date.month)
        case .day: return .int(date.day)
        case .hours: return .int(secondOfDay / 3_600)
        case .minutes: return .int(secondOfDay / 60 % 60)
        case .seconds: return .int(secondOfDay % 60)
        case .nanos: return .int(Int64(time.nanoseconds))
        case .dayOfWeek: return .int((days + 3) - (days + 3).flooringQuotient(by: 7) * 7 + 1)
        case .dayOfYear: return .int(days - Times.days(date.year, 1, 1) + 1)
        case .toMillis: return .int(time.seconds * 1_000 + Int64(time.nanoseconds / 1_000_000))
        default: return nil
        }
    }
}

/// RFC 3339, leniently: months, days, hours, minutes and seconds of two digits roll over.
struct TimestampParser {
    private var bytes: ArraySlice<UInt8>

    init(_ text: String) {
        bytes = Array(text.utf8)[...]
    }

    mutating func parse() -> RuleTimestamp? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2), take("T"),
            let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2),
            let nanoseconds = fraction(), let offset = offset(), bytes.isEmpty
        else { return nil }
        let seconds = Times.days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return RuleTimestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: character) else { return false }
        bytes.removeFirst()
        return true
    }

    private mutating func number(_ digits: Int) -> Int64? {
        guard bytes.count >= digits, bytes.prefix(digits).allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let number = bytes.prefix(digits).reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        bytes.removeFirst(digits)
        return number
    }

    /// Up to nine digits after a point.
    private mutating func fraction() -> Int32? {
        guard take(".") else { return 0 }
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        bytes.removeFirst(digits.count)
        let number = digits.reduce(Int32(0)) { $0 * 10 + Int32($1 - 0x30) }
        return (digits.count..<9).reduce(number) { number, _ in number * 10 }
    }

    private mutating func offset() -> Int64? {
        if take("Z") { return 0 }
        let sign: Int64 = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(2), take(":"), let minutes = number(2) else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
