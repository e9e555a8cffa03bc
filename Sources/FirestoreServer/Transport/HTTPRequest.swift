// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import NIOCore
    internal import NIOHTTP1

    /// A whole HTTP request.
    struct HTTPRequest: Sendable {
        let method: HTTPMethod
        /// The path's segments, percent-decoded one by one: an encoded slash separates nothing.
        let segments: [String]
        /// The verb behind the last colon of the path, as sent: `runQuery`.
        let verb: String?
        /// The parameters behind the question mark, in order.
        let parameters: [(name: String, value: String)]
        let headers: HTTPHeaders
        let body: ByteBuffer
        private let caller: Result<Credentials, RequestError>

        /// Who sends the request.
        var credentials: Credentials { get throws(RequestError) { try caller.get() } }

        init(_ head: HTTPRequestHead, _ body: ByteBuffer) throws(RequestError) {
            method = head.method
            headers = head.headers
            caller = Credentials.reading(headers.first(name: "authorization"))
            self.body = body
            let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            var path = parts[0].drop { $0 == "/" }
            var verb: String?
            if let colon = path.lastIndex(of: ":"), !path[colon...].contains("/"), path[colon...].count > 1 {
                let candidate = String(path[path.index(after: colon)...])
                // A colon may belong to an ID.
                let verbs = path.hasPrefix("v1/") ? HTTPRequest.verbs : HTTPRequest.emulatorVerbs
                if verbs.contains(candidate) {
                    verb = candidate
                    path = path[..<colon]
                }
            }
            self.verb = verb
            var segments: [String] = []
            for part in path.split(separator: "/", omittingEmptySubsequences: false) where !path.isEmpty {
                guard let segment = PercentEncoding.decode(part) else {
                    throw .invalid("The path \"\(head.uri)\" is not percent-encoded UTF-8.")
                }
                segments.append(segment)
            }
            self.segments = segments
            parameters = try HTTPRequest.parameters(parts.count > 1 ? parts[1] : "")
        }

        private static func parameters(_ text: Substring) throws(RequestError) -> [(name: String, value: String)] {
            var parameters: [(name: String, value: String)] = []
            for item in text.split(separator: "&") {
                let halves = item.replacing("+", with: " ").split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = PercentEncoding.decode(halves[0]),
                    let value = halves.count > 1 ? PercentEncoding.decode(halves[1]) : ""
                else { throw .invalid("The parameter \"\(item)\" is not percent-encoded UTF-8.") }
                parameters.append((name, value))
            }
            return parameters
        }

        /// The last value of a parameter, by its name in camel case; snake case is the same.
        func parameter(_ name: String) -> String? {
            parameters.last { $0.name.spells(name) }?.value
        }

        /// All values of a parameter.
        func values(_ name: String) -> [String] {
            parameters.filter { $0.name.spells(name) }.map(\.value)
        }

        /// Those of Cloud Firestore. Others belong to a document's ID there.
        private static let verbs: Set<String> = [
            "batchGet", "beginTransaction", "commit", "rollback", "batchWrite", "runQuery", "runAggregationQuery",
            "partitionQuery", "listCollectionIds", "executePipeline", "listen", "write",
        ]

        /// Those under `/emulator/v1`.
        private static let emulatorVerbs: Set<String> = [
            "securityRules", "export", "import", "bulkDelete", "indexUsage", "ruleCoverage", "ruleCoverage.html",
            "snapshot", "restore", "clock", "advise", "indexes", "usage",
            "events", "fields", "indexStates", "query",
        ]
    }
#endif
