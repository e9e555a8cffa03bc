// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import NIOHTTP1

    /// Which web pages may send requests. A page that a developer happens to visit could otherwise read the data.
    struct AllowedOrigins: Sendable {
        private let named: Set<String>

        init(_ named: Set<String>) {
            self.named = named
        }

        /// Whether a request may be answered: it comes from no page, or from an allowed one.
        func allows(_ headers: HTTPHeaders) -> Bool {
            guard let origin = headers.first(name: "origin") else { return true }
            return isAllowed(origin)
        }

        var allowsAll: Bool { named.contains("*") }

        private func isAllowed(_ origin: String) -> Bool {
            if allowsAll || named.contains(origin) { return true }
            guard let host = origin.split(separator: "/").last, origin.contains("://") else { return false }
            return AllowedHosts.isOfThisMachine(host)
        }

        /// What allows a page to read the response.
        func headers(for head: HTTPRequestHead) -> [(String, String)] {
            guard let origin = head.headers.first(name: "origin"), isAllowed(origin) else { return [] }
            var headers = [
                ("access-control-allow-origin", origin), ("access-control-allow-credentials", "true"),
                (
                    "access-control-expose-headers",
                    "date,server,vary,content-length,content-encoding,x-http-session-id"
                ), ("vary", "origin"),
            ]
            guard head.method == .OPTIONS else { return headers }
            let requested = head.headers[canonicalForm: "access-control-request-headers"].joined(separator: ",")
            headers.append(("access-control-allow-methods", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"))
            headers.append(("access-control-allow-headers", requested))
            headers.append(("access-control-max-age", "3600"))
            if head.headers.contains(name: "access-control-request-private-network") {
                headers.append(("access-control-allow-private-network", "true"))
            }
            return headers
        }
    }
#endif
