// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import TestSupport
import Testing

/// V-13: times as RFC 3339 text.
@Suite struct TimestampTests {
    /// Computed with Python 3's `datetime`, which counts days in the proleptic Gregorian calendar like RFC 3339.
    static let table: [(Int64, String)] = [
        (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
        (-62_135_596_799_999_999, "0001-01-01T00:00:00.000001Z"),
        (-62_130_499_200_000_001, "0001-02-28T23:59:59.999999Z"),
        (-62_130_499_200_000_000, "0001-03-01T00:00:00Z"),
        (-62_035_848_000_000_000, "0004-02-29T12:00:00Z"),
        (-59_006_448_000_000_000, "0100-02-28T00:00:00Z"),
        (-59_006_361_600_000_000, "0100-03-01T00:00:00Z"),
        (-49_539_340_800_000_000, "0400-02-29T00:00:00Z"),
        (-12_220_243_200_000_000, "1582-10-04T00:00:00Z"),
        (-12_220_156_800_000_000, "1582-10-05T00:00:00Z"),
        (-11_670_912_001_000_000, "1600-02-29T23:59:59Z"),
        (-8_515_238_400_000_000, "1700-03-01T00:00:00Z"),
        (-2_208_988_800_001_000, "1899-12-31T23:59:59.999Z"),
        (-2_203_977_600_000_000, "1900-02-28T00:00:00Z"),
        (-2_203_891_200_000_000, "1900-03-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (0, "1970-01-01T00:00:00Z"),
        (1, "1970-01-01T00:00:00.000001Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00Z"),
        (978_307_199_120_000, "2000-12-31T23:59:59.120Z"),
        (1_709_186_828_000_009, "2024-02-29T06:07:08.000009Z"),
        (2_147_483_648_000_000, "2038-01-19T03:14:08Z"),
        (4_107_456_000_000_000, "2100-02-28T00:00:00Z"),
        (4_107_542_400_000_000, "2100-03-01T00:00:00Z"),
        (13_574_563_200_000_100, "2400-02-29T00:00:00.000100Z"),
        (253_281_168_000_000_000, "9996-02-29T00:00:00Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        (210_238_285_838_000_000, "8632-03-09T11:50:38Z"),
        (-60_047_267_869_832_000, "0067-03-06T11:22:10.168Z"),
        (141_389_265_427_000_000, "6450-06-12T19:57:07Z"),
        (180_256_939_514_695_000, "7682-02-11T04:05:14.695Z"),
        (-60_858_790_378_795_032, "0041-06-17T20:27:01.204968Z"),
        (28_407_181_553_635_000, "2870-03-09T19:45:53.635Z"),
        (136_753_480_589_278_319, "6303-07-19T21:56:29.278319Z"),
        (-51_933_231_843_255_500, "0324-04-20T22:15:56.744500Z"),
        (182_163_737_274_523_984, "7742-07-16T14:07:54.523984Z"),
        (125_183_966_849_000_000, "5936-12-03T12:07:29Z"),
        (31_315_449_636_403_000, "2962-05-07T08:00:36.403Z"),
        (97_050_758_383_000_000, "5045-06-01T15:59:43Z"),
        (151_908_820_508_818_995, "6783-10-19T22:35:08.818995Z"),
        (214_704_287_551_102_000, "8773-09-16T07:52:31.102Z"),
        (-29_142_173_543_000_000, "1046-07-10T07:47:37Z"),
        (-41_094_497_960_069_663, "0667-10-08T05:40:39.930337Z"),
        (177_880_230_450_516_391, "7606-10-19T23:07:30.516391Z"),
        (96_214_259_943_671_000, "5018-11-28T23:19:03.671Z"),
        (-22_625_400_320_000_000, "1253-01-10T22:34:40Z"),
        (-35_129_354_278_000_000, "0856-10-17T06:02:02Z"),
        (50_119_318_234_703_000, "3558-03-21T16:50:34.703Z"),
    ]

    @Test(arguments: table)
    func printsAndReads(_ microseconds: Int64, _ text: String) throws {
        let time = try #require(Timestamp(microseconds: microseconds))
        #expect(time.description == text)
        #expect(Timestamp(rfc3339: text) == time)
    }

    /// Other spellings of a time, and the printed one. Digits beyond a microsecond are dropped, also before 1970.
    @Test(arguments: [
        ("2024-01-01T00:00:00z", "2024-01-01T00:00:00Z"), ("2024-01-01t00:00:00Z", "2024-01-01T00:00:00Z"),
        ("2024-01-01T00:00:00+00:00", "2024-01-01T00:00:00Z"), ("2024-01-01T00:00:00-00:00", "2024-01-01T00:00:00Z"),
        ("2024-01-01T00:00:00+05:30", "2023-12-31T18:30:00Z"), ("2023-12-31T23:59:59-08:00", "2024-01-01T07:59:59Z"),
        ("2024-02-29T23:00:00-01:30", "2024-03-01T00:30:00Z"), ("2024-01-01T00:00:00+23:59", "2023-12-31T00:01:00Z"),
        ("2024-01-01T00:00:00.1Z", "2024-01-01T00:00:00.100Z"), ("2024-01-01T00:00:00.12Z", "2024-01-01T00:00:00.120Z"),
        ("2024-01-01T00:00:00.123Z", "2024-01-01T00:00:00.123Z"),
        ("2024-01-01T00:00:00.1234Z", "2024-01-01T00:00:00.123400Z"),
        ("2024-01-01T00:00:00.12345Z", "2024-01-01T00:00:00.123450Z"),
        ("2024-01-01T00:00:00.123456Z", "2024-01-01T00:00:00.123456Z"),
        ("2024-01-01T00:00:00.1234567Z", "2024-01-01T00:00:00.123456Z"),
        ("2024-01-01T00:00:00.12345678Z", "2024-01-01T00:00:00.123456Z"),
        ("2024-01-01T00:00:00.123456789Z", "2024-01-01T00:00:00.123456Z"),
        ("2024-01-01T00:00:00.999999999Z", "2024-01-01T00:00:00.999999Z"),
        ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
        ("1969-12-31T23:59:59.000000999Z", "1969-12-31T23:59:59Z"), ("2024-01-01T00:00:00.0Z", "2024-01-01T00:00:00Z"),
        ("2024-01-01T00:00:00.5+01:00", "2023-12-31T23:00:00.500Z"),
        ("0001-01-01T01:00:00+01:00", "0001-01-01T00:00:00Z"), ("9999-12-31T22:59:59-01:00", "9999-12-31T23:59:59Z"),
        ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999Z"),
    ])
    func readsOtherSpellings(_ text: String, _ printed: String) {
        #expect(Timestamp(rfc3339: text)?.description == printed)
    }

    @Test(arguments: [
        "", "not a time", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2024-1-01T00:00:00Z",
        "2024-01-1T00:00:00Z", "24-01-01T00:00:00Z", "12024-01-01T00:00:00Z", "+2024-01-01T00:00:00Z",
        "-001-01-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-00T00:00:00Z",
        "2024-01-32T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
        "2024-02-30T00:00:00Z", "2024-04-31T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:60Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.1234567890Z", "2024-01-01T00:00:00,5Z",
        "2024-01-01T00:00:00.5", "2024-01-01T00:00:00+0000", "2024-01-01T00:00:00+00", "2024-01-01T00:00:00+24:00",
        "2024-01-01T00:00:00+00:60", "2024-01-01T00:00:00 +00:00", "2024-01-01T00:00:00ZZ", " 2024-01-01T00:00:00Z",
        "2024-01-01T00:00:00Z ", "2024-01-01T00:00Z", "2024-01-01T0a:00:00Z", "２024-01-01T00:00:00Z",
        "2024-01-01T00:00:00\u{2212}01:00", "0000-01-01T00:00:00Z", "0000-12-31T23:59:59-01:00",
        "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59.999999-00:01",
    ])
    func refuses(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    /// Compares with Foundation's calendar over the whole range.
    @Test func randomTimesPrintAsFoundationPrintsThem() throws {
        let values = ValueGenerator()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        // Foundation's Gregorian calendar is the Julian one before 1582.
        let reform: Int64 = -12_219_292_800
        try check(count: Rounds.of(3_000), generate: { values.timestamp(&$0) }) { time in
            guard Timestamp(rfc3339: time.description) == time else { return "\(time) does not come back" }
            let seconds =
                time.microseconds >> 63 == 0 ? time.microseconds / 1_000_000 : (time.microseconds - 999_999) / 1_000_000
            guard seconds >= reform else { return nil }
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
            let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map { $0 ?? -1 }
            let expected = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4],
                numbers[5])
            return time.description.hasPrefix(expected) ? nil : "\(time) is \(expected)"
        }
    }

    /// Every day of the range, one after another, with only the rule of leap years.
    @Test func everyDayFollowsTheDayBefore() {
        // Debug builds start with the last cycle of leap years.
        var (year, month, day) = (Rounds.share > 1 ? 9_601 : 1, 1, 1)
        let past = year - 1
        var days = past * 365 + past / 4 - past / 100 + past / 400
        let step: Int64 = 86_400_000_000
        var midnight = Timestamp.minimum.microseconds + Int64(days) * step
        while let time = Timestamp(microseconds: midnight) {
            let text = String(format: "%04d-%02d-%02dT00:00:00Z", year, month, day)
            if time.description != text { Issue.record("\(time) is \(text)") }
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            let length = [4, 6, 9, 11].contains(month) ? 30 : month != 2 ? 31 : isLeap ? 29 : 28
            day += 1
            if day > length { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
            midnight += step
            days += 1
        }
        #expect(days == 3_652_059)
        #expect(year == 10_000)
    }

    @Test func limits() {
        #expect(Timestamp(microseconds: Timestamp.minimum.microseconds - 1) == nil)
        #expect(Timestamp(microseconds: Timestamp.maximum.microseconds + 1) == nil)
        #expect(Timestamp(microseconds: .min) == nil && Timestamp(microseconds: .max) == nil)
        #expect(Timestamp.minimum.description == "0001-01-01T00:00:00Z")
        #expect(Timestamp.maximum.description == "9999-12-31T23:59:59.999999Z")
        #expect(Timestamp.minimum < Timestamp.maximum)
    }

    /// Nanoseconds count forward from the second, so dropping digits rounds down, also before 1970.
    @Test(
        arguments: [
            (0, 0, 0), (0, 999, 0), (0, 1_000, 1), (0, 999_999_999, 999_999), (-1, 999_999_999, -1),
            (-1, 0, -1_000_000),
            (-62_135_596_800, 0, -62_135_596_800_000_000), (253_402_300_799, 999_999_999, 253_402_300_799_999_999),
        ] as [(Int64, Int32, Int64)])
    func secondsAndNanoseconds(_ seconds: Int64, _ nanoseconds: Int32, _ microseconds: Int64) {
        #expect(Timestamp(seconds: seconds, nanoseconds: nanoseconds)?.microseconds == microseconds)
    }

    @Test(
        arguments: [
            (0, -1), (0, 1_000_000_000), (-62_135_596_801, 999_999_999), (253_402_300_800, 0), (.min, 0), (.max, 0),
            (.min, .min), (1 << 40, 0), (-1 << 40, 0),
        ] as [(Int64, Int32)])
    func secondsAndNanosecondsOutside(_ seconds: Int64, _ nanoseconds: Int32) {
        #expect(Timestamp(seconds: seconds, nanoseconds: nanoseconds) == nil)
    }
}
