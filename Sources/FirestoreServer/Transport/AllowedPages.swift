// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOHTTP1

    /// From which web pages requests may come, and by which names.
    struct AllowedPages: Sendable {
        let origins: AllowedOrigins
        let hosts: AllowedHosts

        /// - Throws: `permissionDenied` if a request may not be answered.
        func check(_ request: HTTPRequest) throws(RequestError) {
            try check(request.headers)
            guard allowsSite(of: request) else {
                throw RequestError(
                    .permissionDenied,
                    "A page of another site sent this request without its origin. It may send it with CORS if hearth serve "
                        + "--allow-origin names it.")
            }
        }

        /// Browsers leave the origin out of what their page cannot read, such as an image. But that would still hold a connection, and
        /// they say from where it comes.
        private func allowsSite(of request: HTTPRequest) -> Bool {
            guard !origins.allowsAll, !request.headers.contains(name: "origin") else { return true }
            switch request.headers.first(name: "sec-fetch-site") {
            // A program, what the user has typed, or the console.
            case nil, "none", "same-origin": return true
            // Another port of this machine.
            case "same-site" where AllowedPages.isForThisMachine(request): return true
            default: return AllowedPages.isLink(request)
            }
        }

        private static func isForThisMachine(_ request: HTTPRequest) -> Bool {
            request.headers["host"].allSatisfy { AllowedHosts.isOfThisMachine($0[...]) }
        }

        /// Whether a link to a page of the server was followed.
        private static func isLink(_ request: HTTPRequest) -> Bool {
            request.method == .GET && request.headers.first(name: "sec-fetch-mode") == "navigate"
                && request.headers.first(name: "sec-fetch-dest") == "document"
                && (request.segments.isEmpty || request.segments[0] == "console" || request.verb == "ruleCoverage.html")
        }

        /// - Throws: `permissionDenied` if a request with these headers may not be answered.
        func check(_ headers: HTTPHeaders) throws(RequestError) {
            guard hosts.allows(headers) else {
                let host = headers.first(name: "host") ?? ""
                let origin = PageOrigin("http://\(host)").map { " \($0.text)" } ?? ""
                throw RequestError(
                    .permissionDenied,
                    "\(host) is no name of this machine; call it localhost, or allow the name with hearth serve "
                        + "--allow-origin\(origin).")
            }
            guard origins.allows(headers) else {
                throw AllowedPages.refusal(of: headers.first(name: "origin") ?? "")
            }
        }

        /// It names the option that would allow the page. What is no origin, such as `null`, cannot be named.
        private static func refusal(of origin: String) -> RequestError {
            let option = PageOrigin(origin).map { "\($0.text) allows them" } ?? "'*' allows all pages"
            return RequestError(
                .permissionDenied,
                "Pages of \(origin) may not send requests; hearth serve --allow-origin \(option).")
        }
    }
#endif
