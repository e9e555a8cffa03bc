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

    /// Hours, minutes, seconds and nanoseconds, of which each is a duration, and so are the sums of the first two and of the last two.
    /// The official error speaks of a timestamp.
    private static func time(_ numbers: [Int64]) throws(EvaluationError) -> RuleDuration {
        do {
            let minutes = try Times.sum(value(numbers[0], "h"), value(numbers[1], "m"), 1)
            let seconds = try Times.sum(value(numbers[2], "s"), value(numbers[3], "ns"), 1)
            return try Times.sum(minutes, seconds, 1)
        } catch {
            throw Times.timestampRange
        }
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
