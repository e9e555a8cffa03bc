// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

enum DurationFunctions {
    static func call(_ function: FreeFunction, _ arguments: [RuleValue]) throws(EvaluationError) -> RuleValue? {
        switch (function, arguments.count) {
        case (.durationValue, 2):
            guard case .int(let number) = arguments[0], case .string(let unit) = arguments[1] else { return nil }
            return .duration(try value(number, unit.string))
        case (.durationTime, 4):
            var numbers: [Int64] = []
            for argument in arguments {
                guard case .int(let number) = argument else { return nil }
                numbers.append(number)
            }
            return .duration(try time(numbers))
        case (.durationAbs, 1):
            guard case .duration(let duration) = arguments[0] else { return nil }
            return .duration(
                try Times.duration(
                    Int64(duration.seconds.magnitude), Int64(duration.nanoseconds.magnitude)))
        default: return nil
        }
    }

    private static func value(_ number: Int64, _ unit: String) throws(EvaluationError) -> RuleDuration {
        let units: [String: Int64] = ["w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1]
        if let length = units[unit] {
            let (seconds, overflow) = number.multipliedReportingOverflow(by: length)
            guard !overflow else { throw Times.durationRange }
            return try Times.duration(seconds, 0)
        }
        switch unit {
        case "ms":
            // The emulator counts in nanoseconds, of which a number holds 292 years.
            guard !number.multipliedReportingOverflow(by: 1_000_000).overflow else { throw Times.durationRange }
            return try Times.duration(number / 1_000, number % 1_000 * 1_000_000)
        case "ns": return try Times.duration(0, number)
        // The text is the official one.
        default: throw .pattern(unit)
        }
    }

    /// Hours, minutes, seconds and nanoseconds. The official error speaks of a timestamp.
    private static func time(_ numbers: [Int64]) throws(EvaluationError) -> RuleDuration {
        let (hours, overflow) = numbers[0].multipliedReportingOverflow(by: 3_600)
        let (minutes, overflow2) = numbers[1].multipliedReportingOverflow(by: 60)
        let (sum, overflow3) = hours.addingReportingOverflow(minutes)
        let (seconds, overflow4) = sum.addingReportingOverflow(numbers[2])
        guard !overflow, !overflow2, !overflow3, !overflow4,
            let duration = RuleDuration(seconds: seconds, nanoseconds: numbers[3]),
            duration.seconds <= 253_402_300_799, duration.seconds >= -62_135_596_800
        else { throw Times.timestampRange }
        return duration
    }

    static func call(_ method: Method, _ duration: RuleDuration, _ arguments: [RuleValue]) -> RuleValue? {
        guard arguments.isEmpty else { return nil }
        return switch method {
        case .seconds: .int(duration.seconds)
        case .nanos: .int(Int64(duration.nanoseconds))
        default: nil
        }
    }
}
