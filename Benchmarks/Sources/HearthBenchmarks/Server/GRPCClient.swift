// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A gRPC client that does as little as it can: one connection with blocking calls, requests that are bytes already, headers without
/// compression. So the server is what a benchmark measures.
final class GRPCClient {
    private let descriptor: Int32
    private var received = [UInt8](repeating: 0, count: 1 << 18)
    private var start = 0
    private var end = 0
    private var nextStream: UInt32 = 1
    /// Bytes of the connection's window that were used.
    private var used = 0
    private let authority: String

    /// Bytes that the server lets the client send.
    private var allowed = 65_535

    private static let window = 1 << 30
    private static let largestFrame = 16 << 10

    init(port: Int) throws {
        authority = "127.0.0.1:\(port)"
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw BenchmarkError("nothing listens at \(authority)")
        }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        var opening = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        // No table of headers, so that none has to be kept; streams without a limit worth a frame.
        opening += GRPCClient.frame(.settings, 0, 0, [0, 1, 0, 0, 0, 0] + [0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        opening += GRPCClient.frame(.windowUpdate, 0, 0, GRPCClient.bigEndian(UInt32(GRPCClient.window)))
        try write(opening)
    }

    deinit { close(descriptor) }

    // MARK: Calls

    /// The bytes of a call that has one message: send them with ``send(_:)``.
    ///
    /// - Parameter isOpen: whether the client may send more, as a call does that lasts as long as the client wants.
    func call(_ method: String, _ message: [UInt8], isOpen: Bool = false) -> [UInt8] {
        var headers: [UInt8] = []
        for (name, value) in [
            (":method", "POST"), (":scheme", "http"), (":path", "/google.firestore.v1.Firestore/\(method)"),
            (":authority", authority), ("content-type", "application/grpc"), ("te", "trailers"),
            ("authorization", "Bearer owner"), ("google-cloud-resource-prefix", Requests.database),
        ] {
            // A literal that enters no table.
            headers += [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }
        let data = [0] + GRPCClient.bigEndian(UInt32(message.count)) + message
        var bytes = GRPCClient.frame(.headers, 4, 0, headers)
        for start in stride(from: 0, to: data.count, by: GRPCClient.largestFrame) {
            let part = Array(data[start...].prefix(GRPCClient.largestFrame))
            let isLast = start + part.count == data.count && !isOpen
            bytes += GRPCClient.frame(.data, isLast ? 1 : 0, 0, part)
        }
        return bytes
    }

    /// Sends a call. Its stream is numbered here.
    ///
    /// - Precondition: the call is smaller than a stream's first window, 64 KiB.
    /// - Returns: the number of the stream.
    @discardableResult
    func send(_ call: [UInt8]) throws -> UInt32 {
        var bytes = call
        let stream = GRPCClient.bigEndian(nextStream)
        defer { nextStream += 2 }
        var frame = 0
        var data = 0
        while frame < bytes.count {
            bytes.replaceSubrange(frame + 5..<frame + 9, with: stream)
            let length = GRPCClient.length(of: bytes, at: frame)
            if bytes[frame + 3] == Kind.data.rawValue { data += length }
            frame += 9 + length
        }
        // No call is under way then, so only frames of the connection come.
        while allowed < data { _ = try self.frame() }
        allowed -= data
        try write(bytes)
        return nextStream
    }

    /// Waits for bytes of any call that is open, and returns them with the number of its stream.
    func receivePart() throws -> (stream: UInt32, bytes: ArraySlice<UInt8>) {
        while true {
            let (kind, stream, flags, payload) = try frame()
            if kind == .headers, flags & 1 != 0 { throw BenchmarkError("the server ended a call") }
            if kind == .data { return (stream, received[payload]) }
        }
    }

    /// Waits for the end of any call. Returns the bytes of its messages, with their prefixes of five bytes, if they are kept, and
    /// how many there were.
    ///
    /// - Parameter keeps: for one call at a time.
    func receive(keeps: Bool = false) throws -> (bytes: [UInt8], count: Int) {
        var kept: [UInt8] = []
        var count = 0
        while true {
            let (kind, _, flags, payload) = try frame()
            if kind == .data {
                count += payload.count
                if keeps { kept += received[payload] }
            }
            if kind == .data || kind == .headers, flags & 1 != 0 { return (kept, count) }
        }
    }

    /// A whole call. Its answer may not be empty.
    func exchange(_ call: [UInt8]) throws -> [UInt8] {
        try send(call)
        return try receive(keeps: true).bytes
    }

    // MARK: Frames

    private enum Kind: UInt8 {
        case data = 0, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation
    }

    private static func frame(_ kind: Kind, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let length = Array(bigEndian(UInt32(payload.count)).dropFirst())
        return length + [kind.rawValue, flags] + bigEndian(stream) + payload
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func length(of bytes: [UInt8], at start: Int) -> Int {
        Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
    }

    /// Reads a frame, and answers it if it concerns the connection.
    ///
    /// - Returns: where its payload is in ``received`` until the next call.
    private func frame() throws -> (kind: Kind?, stream: UInt32, flags: UInt8, payload: Range<Int>) {
        try fill(9)
        let kind = Kind(rawValue: received[start + 3])
        let flags = received[start + 4]
        let length = GRPCClient.length(of: received, at: start)
        let stream = received[start + 5..<start + 9].reduce(0) { $0 << 8 | UInt32($1) }
        start += 9
        try fill(length)
        let payload = start..<start + length
        start += length
        switch kind {
        case .data: try consume(length)
        case .settings where flags & 1 == 0: try write(GRPCClient.frame(.settings, 1, 0, []))
        case .ping where flags & 1 == 0: try write(GRPCClient.frame(.ping, 1, 0, Array(received[payload])))
        case .windowUpdate where stream == 0: allowed += received[payload].reduce(0) { $0 << 8 | Int($1) }
        case .reset, .goAway: throw BenchmarkError("the server ended a call with a frame of kind \(kind!)")
        default: break
        }
        return (kind, stream, flags, payload)
    }

    private func consume(_ length: Int) throws {
        used += length
        guard used > GRPCClient.window / 2 else { return }
        try write(GRPCClient.frame(.windowUpdate, 0, 0, GRPCClient.bigEndian(UInt32(used))))
        used = 0
    }

    /// Waits until so many bytes are there.
    private func fill(_ count: Int) throws {
        while end - start < count {
            if start > 0 {
                received.withUnsafeMutableBytes { bytes in
                    _ = memmove(bytes.baseAddress!, bytes.baseAddress! + start, end - start)
                }
                end -= start
                start = 0
            }
            let more = received.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + end, $0.count - end, 0) }
            guard more > 0 else { throw BenchmarkError("the server closed the connection") }
            end += more
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress! + written, $0.count - written, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchmarkError("the server closed the connection") }
            written += count
        }
    }
}
