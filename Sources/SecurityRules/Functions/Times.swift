// SPDX-License-Identifier: Apache-2.0

/// The calendar, and sums of times within their ranges.
enum Times {
    static let timestampRange = EvaluationError.other(
        "Timestamp is not valid. Seconds must be in range [-62,135,596,800, +253,402,300,799]. "
            + "Nanos must be in range [0, +999,999,999].")
    static let durationRange = EvaluationError.other(
        "Duration is not valid. Seconds must be in range [-315,576,000,000, +315,576,000,000]. "
            + "Nanos must be in range [-999,999,999, +999,999,999]. Nanos must have the same sign as seconds.")

    static func duration(_ seconds: Int64, _ nanoseconds: Int64) throws(EvaluationError) -> RuleDuration {
        guard let duration = RuleDuration(seconds: seconds, nanoseconds: nanoseconds) else { throw durationRange }
        return duration
    }

    static func timestamp(_ seconds: Int64, _ nanoseconds: Int64) throws(EvaluationError) -> RuleTimestamp {
        let carry = nanoseconds.flooringQuotient(by: 1_000_000_000)
        let rest = Int32(nanoseconds - carry * 1_000_000_000)
        let (sum, overflow) = seconds.addingReportingOverflow(carry)
        guard !overflow, let time = RuleTimestamp(seconds: sum, nanoseconds: rest) else { throw timestampRange }
        return time
    }

    static func sum(_ left: RuleDuration, _ right: RuleDuration, _ sign: Int64) throws(EvaluationError) -> RuleDuration
    {
        try duration(
            left.seconds + sign * right.seconds, Int64(left.nanoseconds) + sign * Int64(right.nanoseconds))
    }

    static func shift(
        _ time: RuleTimestamp, _ duration: RuleDuration, _ sign: Int64
    ) throws(EvaluationError) -> RuleTimestamp {
        try timestamp(
            time.seconds + sign * duration.seconds, Int64(time.nanoseconds) + sign * Int64(duration.nanoseconds))
    }

    // MARK: The proleptic Gregorian calendar

    struct Date {
        let year: Int64
        let month: Int64
        let day: Int64
    }

    /// Days since 1970-01-01. Months may lie outside 1…12 and days outside their month: they roll over.
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let months = year * 12 + (month - 1)
        let (wholeYear, monthOfYear) = (months.flooringQuotient(by: 12), months - months.flooringQuotient(by: 12) * 12)
        // Years begin in March, so that the leap day is the last of its year.
        let shifted = monthOfYear < 2 ? wholeYear - 1 : wholeYear
        let era = shifted.flooringQuotient(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((monthOfYear + 10) % 12) + 2) / 5
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468 + (day - 1)
    }

    static func date(ofDay days: Int64) -> Date {
        let shifted = days + 719_468
        let era = shifted.flooringQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return Date(year: year, month: month, day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    func flooringQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
