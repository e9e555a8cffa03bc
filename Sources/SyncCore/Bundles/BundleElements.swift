// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// The elements of a bundle: each a length in decimal digits, then that many bytes of JSON.
struct BundleElements {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Nil at the end.
    mutating func next() throws(SyncError) -> JSONNode? {
        guard offset < bytes.count else { return nil }
        var length = 0
        let start = offset
        while offset < bytes.count, let digit = Character(UnicodeScalar(bytes[offset])).wholeNumberValue {
            length = length * 10 + digit
            guard length <= bytes.count else { throw BundleElements.error("an element is longer than the bundle") }
            offset += 1
        }
        guard offset > start, length <= bytes.count - offset else {
            throw BundleElements.error("an element has no length, or is cut off")
        }
        defer { offset += length }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(Array(bytes[offset..<offset + length]))
        } catch {
            throw BundleElements.error("an element is not JSON: \(error.message)")
        }
    }

    static func error(_ reason: String) -> SyncError {
        SyncError(.invalidArgument, "The bundle cannot be read: \(reason)\(reason.hasSuffix(".") ? "" : ".")")
    }
}

extension JSONNode {
    /// A time as text or as seconds and nanoseconds.
    func bundleTime() throws(SyncError) -> Timestamp {
        if let time = string.flatMap({ Timestamp(rfc3339: $0) }) { return time }
        if members != nil, let seconds = (self["seconds"] ?? JSONNode.integer(0)).wholeNumber,
            let nanos = (self["nanos"] ?? JSONNode.integer(0)).wholeNumber.flatMap({ Int32(exactly: $0) }),
            let time = Timestamp(seconds: seconds, nanoseconds: nanos)
        {
            return time
        }
        throw BundleElements.error("a time is missing or has no known form")
    }

    /// The same document or query with the times of its values as text, as they are read elsewhere.
    func withTextTimes() -> JSONNode {
        switch value {
        case .array(let elements): JSONNode(.array(elements.map { $0.withTextTimes() }))
        case .object(let members): JSONNode(.object(members.map { $0.withTextTimes() }))
        default: self
        }
    }

    /// A whole number, or one in quotes as 64-bit numbers are written.
    var wholeNumber: Int64? { number?.int64 ?? string.flatMap { Int64($0) } }
}

extension JSONMember {
    fileprivate func withTextTimes() -> JSONMember {
        var member = self
        if key == "fields", let fields = node.members {
            // The keys here are names of the program.
            member.node = JSONNode(.object(fields.map { JSONMember(key: $0.key, node: $0.node.withTextTimes()) }))
        } else if key == "timestampValue", node.members != nil, let time = try? node.bundleTime() {
            member.node = JSONNode(.string(time.description))
        } else {
            member.node = node.withTextTimes()
        }
        return member
    }
}
