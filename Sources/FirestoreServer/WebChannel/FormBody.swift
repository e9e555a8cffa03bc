// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    /// The body of a forward request: `headers=…&count=2&ofs=0&req0___data__=…&req1___data__=…`, each value percent-encoded.
    struct FormBody {
        /// The headers that a page sends in the body, because its browser would ask before it sends them as headers.
        private(set) var headers: [(name: String, value: String)] = []
        private(set) var maps: [(number: Int, map: MapQueue.Map)] = []

        /// Production's client sends at most 1,000 at once.
        private static let mapLimit = 10_000

        init() {}

        /// - Throws: if it has another form.
        init(_ body: [UInt8]) throws(RequestError) {
            var offset = 0
            var count: Int?
            var data: [(index: Int, map: MapQueue.Map)] = []
            for item in body.split(separator: UInt8(ascii: "&")) {
                let name = String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
                guard let value = FormBody.decode(item.dropFirst(name.utf8.count + 1)) else {
                    throw .invalid("The value of \(name.prefix(100)) is not percent-encoded.")
                }
                switch name {
                case "headers": headers = FormBody.headers(String(decoding: value, as: UTF8.self))
                case "count": count = try FormBody.number(name, value)
                case "ofs": offset = try FormBody.number(name, value)
                default:
                    if let (index, key) = FormBody.map(name) { data.append((index, key == "__data__" ? value : nil)) }
                }
            }
            guard data.count <= FormBody.mapLimit else {
                throw .invalid("A request has at most \(FormBody.mapLimit) messages.")
            }
            if let count, Set(data.map(\.index)).count != count {
                throw .invalid("The request says that it has \(count) messages, and has \(data.count).")
            }
            maps = data.map { (offset + $0.index, $0.map) }
        }

        /// `req3___data__` as 3 and `__data__`. A map may have other keys: the client sends `req3_type` for what it could not write.
        private static func map(_ name: String) -> (index: Int, key: Substring)? {
            guard name.hasPrefix("req"), let end = name.firstIndex(of: "_"),
                let index = Int32(name[..<end].dropFirst(3)), index >= 0
            else { return nil }
            return (Int(index), name[end...].dropFirst())
        }

        private static func number(_ name: String, _ value: [UInt8]) throws(RequestError) -> Int {
            guard let number = Int32(String(decoding: value, as: UTF8.self)), number >= 0 else {
                throw .invalid("The value of \(name) is not a number.")
            }
            return Int(number)
        }

        /// Lines `Name:Value`.
        static func headers(_ text: String) -> [(name: String, value: String)] {
            text.split(whereSeparator: \.isNewline).compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = line[colon...].dropFirst().drop { $0 == " " }
                return (line[..<colon].lowercased(), String(value))
            }
        }

        private static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.count)
            var index = text.startIndex
            while index < text.endIndex {
                let byte = text[index]
                index += 1
                guard byte == UInt8(ascii: "%") else {
                    bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                    continue
                }
                guard index + 1 < text.endIndex, let high = PercentEncoding.digit(text[index]),
                    let low = PercentEncoding.digit(text[index + 1])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            }
            return bytes
        }
    }
#endif
