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
            guard let time = TimestampParser(text.string).parse() else { throw Times.timestampRange }
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
