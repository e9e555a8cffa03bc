// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Testing

@testable internal import SecurityRules

/// What the emulator (1.19.9) makes of numbers and texts that become times. The texts that Java reads are many more than those of RFC 3339.
@Suite struct TimeFunctionTests {
    /// A list without elements says which one is asked for.
    private static func message(_ number: String) throws -> String {
        let source = SecurityLintRule.source("match /a/{id} { allow get: if [][\(number)]; }")
        let rules = try #require(RuleSet.compile(source).rules, "\(number)")
        let path = ResourcePath(segments: ["a", "1"])
        return rules.decide(RuleRequest(.get([path]), time: RuleTimestamp(.minimum))) { _ in nil }.message
    }

    private static func isSame(_ number: String, _ value: Int?) throws -> Bool {
        let text = value.map { "Index out of bound error. Index: [\($0)] , size: [0]." } ?? "Timestamp is not valid. "
        return try message(number).hasPrefix("\n" + text)
    }

    @Test(arguments: [
        ("2024-01-01T00:00:00.Z", 1_704_067_200_000), ("2024-1-1T0:0:0Z", 1_704_067_200_000),
        ("24-01-01T00:00:00Z", -61_409_836_800_000), ("2024--1-01T00:00:00Z", 1_698_796_800_000),
        ("2024-01-01T-1:00:00Z", 1_704_063_600_000), ("2024-100-100T100:100:100Z", 1_973_310_100_000),
        (" 2024- 01-01T 00:00: 5Z", 1_704_067_205_000), ("2024-01-01T00:00:00,5Z", 1_704_067_200_000),
        ("2024-01-01T00:00:00.1239999999Z", 1_704_067_200_123), ("2024-01-01T00:00:00.123456789xZ", 1_704_067_200_123),
        ("2024-01-01T00:00:00+5:30", 1_704_047_400_000), ("2024-01-01T00:00:00+01:000", 1_704_063_600_000),
        ("2024-01-01T00:00:00+-05:30", 1_704_083_400_000), ("2024-01-01T00:00:00+01:00Z", 1_704_067_200_000),
        ("2024-01-01T00:00:00-05:30+01:00", 1_704_063_600_000), ("0-12-31T00:00:00-24:00", -62_135_596_800_000),
        ("2024-4294967297-01T00:00:00Z", 1_704_067_200_000), ("2024-01-01T00:00:99999999999Z", 2_919_819_391_000),
        ("2024-02-30T24:00:60Z", 1_709_337_660_000), ("2024-01-01T00:00:00+9223372036854775807:00", 1_704_070_800_000),
    ])
    func textsThatAreTimes(_ text: String, _ milliseconds: Int) throws {
        #expect(try Self.isSame("timestamp.value('\(text)').toMillis()", milliseconds))
    }

    @Test(arguments: [
        "", "T", "TZ", "2024-01-01T00:00:00", "2024-01-01t00:00:00Z", "2024-01-01T00:00Z", "2024-01-01T00:00:.5Z",
        "2024-01-01T00:00:00.12345678xZ", "2024-01-01T00:00:00.5.5Z", "2024 -01-01T00:00:00Z", "+2024-01-01T00:00:00Z",
        "-1-01-01T00:00:00Z", "2024-01-01T00:00:00+0530", "2024-01-01T00:00:00+05:30-01:00", "2024-01-01T00:00:00+05:",
        "2024-01-01T00:00:00Z ", "2024-01-01T99999999999999999999:00:00Z", "9999-12-31T23:59:60Z", "0-12-31T00:00:00Z",
        "2024-01-01T00:00:00+9223372036854775808:00", "12345-01-01T00:00:00Z",
    ])
    func textsThatAreNone(_ text: String) throws {
        #expect(try Self.isSame("timestamp.value('\(text)').toMillis()", nil))
    }

    /// Hours, minutes, seconds and nanoseconds are limited as durations, each of them and in pairs.
    @Test(arguments: [
        ("0, 0, 315576000000, 1", 315_576_000_000), ("70389529, 0, 0, 0", 253_402_304_400),
        ("-17259888, 0, -62135596800, 0", -124_271_193_600), ("87660000, 0, 0, 0", 315_576_000_000),
        ("87660000, 0, 1, -1000000000", 315_576_000_000), ("87660000, -60, 3600, 0", 315_576_000_000),
        ("-87660000, 0, 315576000000, 0", 0), ("0, 0, 0, -9223372036854775808", -9_223_372_036),
        ("0, 0, 5, -7000000000", -2),
    ])
    func sumsOfParts(_ parts: String, _ seconds: Int) throws {
        #expect(try Self.isSame("duration.time(\(parts)).seconds()", seconds))
    }

    @Test(arguments: [
        "0, 0, 315576000001, -1000000000", "87660001, -60, 0, 0", "87660000, 1, -60, 0", "9223372036854775807, 0, 0, 0",
        "0, 0, 315576000000, 1000000000",
    ])
    func partsOutOfRange(_ parts: String) throws {
        #expect(try Self.isSame("duration.time(\(parts)).seconds()", nil))
    }

    /// Only a duration has an absolute value here.
    @Test(arguments: ["-1", "1.5", "'1'", "null"]) func absoluteValuesOfNoDurations(_ argument: String) throws {
        let message = try Self.message("duration.abs(\(argument)).seconds()")
        #expect(message.contains("Expected: duration.abs(duration)."), "\(message)")
    }
}
