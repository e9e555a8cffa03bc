// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A time in data that is decoded without being stored, whose nanoseconds the value of a timestamp would lose. It has the form of a map
/// that no document can hold, because its names are reserved (D-13).
enum ExactTime {
    private static let time = "__time__"
    private static let nanoseconds = "__nanoseconds__"

    static func value(_ stored: DocumentModel.Timestamp, nanoseconds: Int32) -> Value {
        .map(
            Fields(sorting: [
                Field(Text(time), .timestamp(stored)), Field(Text(self.nanoseconds), .integer(Int64(nanoseconds))),
            ]))
    }

    /// Nil for every other value.
    static func timestamp(_ map: StoredMap) throws(StoredFormatError) -> Timestamp? {
        var place = 0
        guard let nanoseconds = try map.position(of: nanoseconds, near: &place),
            let time = try map.position(of: time, near: &place), let stored = try map.timestamp(at: time),
            let exact = try map.integer(at: nanoseconds)
        else { return nil }
        return Timestamp(seconds: Timestamp(stored).seconds, nanoseconds: Int32(truncatingIfNeeded: exact))
    }
}
