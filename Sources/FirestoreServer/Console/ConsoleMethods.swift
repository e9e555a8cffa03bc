// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import NIOHTTP1

    /// The console's page and its files, which are part of the program.
    struct ConsoleMethods: Sendable {
        /// Nothing of another origin, and no text as script or style: what documents contain cannot act.
        private static let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        ].joined(separator: "; ")

        private static let files: [String: (type: String, bytes: [UInt8])] = [
            "console.css": ("text/css; charset=utf-8", PackageResources.console_css),
            "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
            "completion.js": (script, PackageResources.completion_js),
            "console.js": (script, PackageResources.console_js),
            "documents.js": (script, PackageResources.documents_js),
            "element.js": (script, PackageResources.element_js),
            "indexes.js": (script, PackageResources.indexes_js),
            "plan.js": (script, PackageResources.plan_js),
            "query.js": (script, PackageResources.query_js),
            "requests.js": (script, PackageResources.requests_js),
            "server.js": (script, PackageResources.server_js),
            "values.js": (script, PackageResources.values_js),
        ]

        private static let script = "text/javascript; charset=utf-8"

        func answer(_ request: HTTPRequest, _ responder: HTTPResponder) {
            guard request.method == .GET || request.method == .HEAD else { return responder.refuse() }
            let security = [("content-security-policy", ConsoleMethods.policy), ("referrer-policy", "no-referrer")]
            switch request.segments.count {
            case 1:
                responder.send(.ok, "text/html; charset=utf-8", PackageResources.index_html, security)
            case 2:
                guard let file = ConsoleMethods.files[request.segments[1]] else { return responder.refuse() }
                responder.send(.ok, file.type, file.bytes, security)
            default: responder.refuse()
            }
        }

        /// Whether the console sends a request, which its own feed leaves out.
        static func sends(_ head: HTTPRequestHead) -> Bool {
            head.headers.contains(name: "x-hearth-console") || head.uri.hasPrefix("/console")
        }
    }
#endif
