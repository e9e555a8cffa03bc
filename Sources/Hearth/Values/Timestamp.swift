// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
public import Foundation

/// A point in time, stored with microsecond precision.
///
/// Storing it rounds fractions of a microsecond down. Calls that store or compare a time outside the years 1 to 9999,
/// or with nanoseconds outside 0..<10⁹, throw `invalidArgument`.
public struct Timestamp: Sendable, Hashable, Codable {
    /// Seconds since 1970-01-01T00:00:00Z, negative before.
    public let seconds: Int64
    /// Nanoseconds within the second. They count forward in time, also before 1970.
    public let nanoseconds: Int32

    /// Creates a timestamp.
    ///
    /// - Parameters:
    ///   - seconds: since 1970-01-01T00:00:00Z.
    ///   - nanoseconds: 0 to 999,999,999.
    public init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Creates a timestamp for the current time.
    public init() {
        self.init(date: Date())
    }

    /// Creates a timestamp for a date, rounded to the microsecond, which is about the precision of `Date`. Within two
    /// centuries of 2001, a timestamp in whole microseconds survives the conversion to a date and back.
    public init(date: Date) {
        let sinceReference = date.timeIntervalSinceReferenceDate
        guard abs(sinceReference) < 1e12 else {
            self.init(seconds: sinceReference > 0 ? .max : .min, nanoseconds: 0)
            return
        }
        let whole = sinceReference.rounded(.down)
        let microseconds = Int64(((sinceReference - whole) * 1e6).rounded())
        let seconds = Int64(whole) + Timestamp.referenceDate + microseconds / 1_000_000
        self.init(seconds: seconds, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
    }

    /// Converts the timestamp to a `Date`.
    public func dateValue() -> Date {
        Date(
            timeIntervalSinceReferenceDate: Double(seconds) - Double(Timestamp.referenceDate)
                + Double(nanoseconds) / 1e9)
    }

    /// 2001-01-01T00:00:00Z, the reference date of `Date`.
    private static let referenceDate: Int64 = 978_307_200
}

extension Timestamp: Comparable {
    /// Chronological order.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
    }
}

extension Timestamp {
    /// Chronological order: `orderedAscending` if `other` is later. FirebaseFirestore's form of `<`.
    public func compare(_ other: Timestamp) -> ComparisonResult {
        self < other ? .orderedAscending : other < self ? .orderedDescending : .orderedSame
    }
}

extension Timestamp: CustomStringConvertible {
    /// The seconds and nanoseconds, for messages: `FIRTimestamp: seconds=1 nanoseconds=2`.
    public var description: String { "FIRTimestamp: seconds=\(seconds) nanoseconds=\(nanoseconds)" }
}

extension Timestamp {
    init(_ stored: DocumentModel.Timestamp) {
        let microseconds = stored.microseconds
        let fraction = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
        self.init(seconds: (microseconds - fraction) / 1_000_000, nanoseconds: Int32(fraction) * 1_000)
    }

    func stored() throws(FirestoreError) -> DocumentModel.Timestamp {
        guard (0..<1_000_000_000).contains(nanoseconds) else {
            throw .invalidArgument("Timestamp nanoseconds out of range: \(nanoseconds)")
        }
        // Checked before the conversion, which takes the magnitude: that of the least integer overflows.
        guard seconds > -(1 << 40), let stored = DocumentModel.Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        else { throw .invalidArgument("Timestamp seconds out of range: \(seconds)") }
        return stored
    }
}
