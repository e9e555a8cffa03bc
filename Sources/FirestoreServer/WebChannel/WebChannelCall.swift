// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import FirestoreProtocol
    internal import NIOHTTP1

    /// What a request of a channel asks for, by its method and its parameters.
    enum WebChannelCall: Equatable {
        /// A new session.
        case open
        /// The client's messages.
        case forward(session: String, acknowledging: Int?)
        /// A response with the server's messages behind an ID.
        case back(session: String, after: Int, isStreaming: Bool, longestWait: Duration)
        case end(session: String)

        init(_ request: HTTPRequest) throws(RequestError) {
            func parameter(_ name: String) -> String? { request.parameters.last { $0.name == name }?.value }
            func number(_ name: String) throws(RequestError) -> Int? {
                guard let text = parameter(name) else { return nil }
                guard let number = Int32(text), number >= 0 else {
                    throw .invalid("The parameter \(name) is a number, not \"\(text.prefix(100))\".")
                }
                return Int(number)
            }
            guard ["8", nil].contains(parameter("VER")) else {
                throw .invalid("Version 8 of the channel's protocol is served, not version \(parameter("VER") ?? "").")
            }
            let session = parameter("SID")
            switch (request.method, parameter("TYPE")) {
            case (_, "terminate"): self = .end(session: session ?? "")
            case (.POST, _):
                guard let session else {
                    self = .open
                    return
                }
                self = .forward(session: session, acknowledging: try number("AID"))
            case (.GET, "xmlhttp"):
                guard let session, let id = try number("AID") else {
                    throw .invalid("The request for messages names its session by SID, and by AID what it has of it.")
                }
                self = .back(
                    session: session, after: id, isStreaming: parameter("CI") != "1",
                    longestWait: .milliseconds(try number("TO") ?? 30_000))
            case (let method, let type):
                throw .invalid("A channel has no \(method.rawValue) of type \"\(type?.prefix(100) ?? "")\".")
            }
        }
    }
#endif
