// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreServer
    import Testing

    /// Web pages of this machine may use the server, and others may not: a page that a developer visits could otherwise
    /// read the data.
    @Suite struct CORSTests {
        @Test(arguments: [
            "http://localhost", "http://localhost:3000", "https://localhost:5173", "http://127.0.0.1:8000",
            "http://[::1]:4000", "http://app.localhost:3000", "http://127.0.0.2",
        ])
        func pagesOfThisMachine(_ origin: String) async throws {
            let server = try TestServer()
            let reply = try await server.http("GET", "/", headers: [("origin", origin)])
            #expect(reply.status == 200)
            #expect(reply.header("access-control-allow-origin") == origin)
            #expect(reply.header("access-control-allow-credentials") == "true")
            #expect(reply.header("vary") == "origin")
            let missing = try await server.http("GET", "/v1/\(Names.root)/c/d", headers: [("origin", origin)])
            #expect(missing.status == 404)
            #expect(missing.header("access-control-allow-origin") == origin)
        }

        @Test(arguments: [
            "https://example.com", "null", "http://localhost.example.com", "http://example.com:80", "localhost",
            "http://localhost:80@example.com", "http://127.0.0.1.example.com", "",
            "http://app.localhost:80@example.com", "http://[::1]@example.com", "http://localhost@example.com",
            "http://notlocalhost", "http://128.0.0.1",
        ])
        func otherPages(_ origin: String) async throws {
            let server = try TestServer()
            for method in ["GET", "OPTIONS", "POST"] {
                let reply = try await server.http(method, "/v1/\(Names.root)/c/d", headers: [("origin", origin)])
                #expect(reply.status == 403, "\(method)")
                #expect(reply.error?.status == "PERMISSION_DENIED")
                #expect(reply.header("access-control-allow-origin") == nil)
            }
        }

        /// The answer names what to give, as browsers send it.
        @Test func optionsThatAllow() async throws {
            let server = try TestServer()
            func message(_ header: String, _ value: String) async throws -> String {
                try await server.http("GET", "/v1/\(Names.root)/c/d", headers: [(header, value)]).error?.message ?? ""
            }
            let page = try await message("origin", "https://app.test:3000")
            #expect(page.hasSuffix("; hearth serve --allow-origin https://app.test:3000 allows them."), "\(page)")
            let file = try await message("origin", "null")
            #expect(file.hasSuffix("; hearth serve --allow-origin '*' allows all pages."), "\(file)")
            let host = try await message("host", "app.test:8080")
            #expect(host.hasSuffix("with hearth serve --allow-origin http://app.test:8080."), "\(host)")
        }

        private static let written: [(String, String?)] = [
            ("https://app.test", "https://app.test"), ("https://App.test:3000/", "https://app.test:3000"),
            ("HTTPS://app.test:443", "https://app.test"), ("http://app.test:80/", "http://app.test"),
            ("http://app.test:443", "http://app.test:443"), ("http://[2001:db8::1]:80", "http://[2001:db8::1]"),
            ("chrome-extension://abc", "chrome-extension://abc"), ("app.test", nil), ("foo", nil), ("", nil),
            ("*", nil), ("null", nil), ("https://", nil), ("https:///", nil), ("://app.test", nil),
            ("https:/app.test", nil), ("https://app.test/page", nil), ("https://app.test//", nil),
            ("https://app.test:", nil), ("https://app.test:65536", nil), ("https://app.test:+80", nil),
            ("https://me@app.test", nil), ("https://app.test?x", nil), ("https://a b", nil), ("https://[::1", nil),
            ("https://[]", nil), ("https://[::1]x", nil),
        ]

        @Test(arguments: written)
        func origins(_ written: String, _ sent: String?) { #expect(PageOrigin(written)?.text == sent) }

        @Test(arguments: [["https://example.com"], ["*"]]) func allowedPages(_ allowed: Set<String>) async throws {
            let server = try TestServer { $0.allowedOrigins = allowed }
            let reply = try await server.http("GET", "/", headers: [("origin", "https://example.com")])
            #expect(reply.header("access-control-allow-origin") == "https://example.com")
            let other = try await server.http("GET", "/", headers: [("origin", "https://other.example")])
            #expect(other.status == (allowed == ["*"] ? 200 : 403))
        }

        /// The host of a page whose name leads to this machine is still the page's.
        @Test func otherHosts() async throws {
            let server = try TestServer()
            for host in ["localhost", "localhost:8080", "127.0.0.1:1", "127.8.0.1", "[::1]:8080", "app.localhost:3000"]
            {
                #expect(try await server.http("GET", "/", headers: [("host", host)]).status == 200, "\(host)")
            }
            for host in [
                "example.com", "example.com:8080", "localhost.example.com", "127.0.0.1.example.com", "", "10.0.0.1",
            ] {
                let reply = try await server.http("GET", "/", headers: [("host", host)])
                #expect(reply.error?.status == "PERMISSION_DENIED", "\(host)")
            }
            let allowing = try TestServer { $0.allowedOrigins = ["https://example.com:3000"] }
            #expect(try await allowing.http("GET", "/", headers: [("host", "example.com:8080")]).status == 200)
            #expect(try await allowing.http("GET", "/", headers: [("host", "other.example")]).status == 403)
        }

        /// Browsers send no origin with what a page cannot read, but whether the page is of another site.
        @Test func requestsWithoutOrigin() async throws {
            let server = try TestServer { $0.allowedOrigins = ["https://app.example.com"] }
            func status(_ path: String, _ site: String, _ mode: String, _ dest: String, _ more: [(String, String)] = [])
                async throws -> Int
            {
                let headers = [("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest)]
                return try await server.http("GET", path, headers: headers + more).status
            }
            let list = "/v1/\(Names.root)/c"
            let events = "/emulator/v1/\(Names.database):events"
            for path in [list, events, "/", "/console"] {
                #expect(try await status(path, "cross-site", "no-cors", "image") == 403, "\(path)")
                #expect(try await status(path, "cross-site", "navigate", "iframe") == 403, "\(path)")
            }
            for path in [list, events] {
                #expect(try await status(path, "cross-site", "navigate", "document") == 403, "\(path)")
            }
            for path in ["/", "/console", "/console/icon.svg"] {
                #expect(try await status(path, "cross-site", "navigate", "document") == 200, "\(path)")
            }
            for site in ["none", "same-origin", "same-site"] {
                #expect(try await status(list, site, "cors", "empty") == 200, "\(site)")
            }
            // Whoever has a host of the same domain.
            #expect(try await status(list, "same-site", "no-cors", "image", [("host", "app.example.com:8080")]) == 403)
            let origin = ("origin", "https://app.example.com")
            #expect(try await status(list, "cross-site", "cors", "empty", [origin]) == 200)
            let open = try TestServer { $0.allowedOrigins = ["*"] }
            let site = ("sec-fetch-site", "cross-site")
            #expect(try await open.http("GET", list, headers: [site]).status == 200)
        }

        @Test func preflights() async throws {
            let server = try TestServer()
            let reply = try await server.http(
                "OPTIONS", "/v1/\(Names.root):commit",
                headers: [
                    ("origin", "http://localhost:3000"), ("access-control-request-method", "POST"),
                    ("access-control-request-headers", "content-type, x-goog-api-client"),
                    ("access-control-request-private-network", "true"),
                ])
            #expect(reply.status == 200)
            #expect(reply.header("access-control-allow-methods")?.contains("PATCH") == true)
            let allowed = reply.header("access-control-allow-headers")?.filter { $0 != " " }
            #expect(allowed == "content-type,x-goog-api-client")
            #expect(reply.header("access-control-allow-private-network") == "true")
            #expect(reply.header("access-control-max-age") != nil)
        }

        @Test func programsHaveNoOrigin() async throws {
            let reply = try await TestServer().http("GET", "/")
            #expect(reply.status == 200)
            #expect(reply.header("access-control-allow-origin") == nil)
        }
    }
#endif
