// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import JSONText
    internal import NIOHTTP1

    /// The emulator's own routes, under `/emulator/v1`, and those that Hearth adds.
    struct EmulatorMethods: Sendable {
        let service: FirestoreService
        let indexes: IndexSource
        let rules: RulesSource
        let feed: RequestFeed

        func answer(_ request: HTTPRequest, _ responder: HTTPResponder) async throws {
            let segments = request.segments
            if request.method == .GET, segments[1...] == ["v1", "databases"] { return try listDatabases(responder) }
            guard segments.count >= 4, segments[1] == "v1", segments[2] == "projects" else {
                return responder.refuse()
            }
            let hasDatabase = segments.count >= 6 && segments[4] == "databases"
            guard !segments[3].isEmpty, !hasDatabase || !segments[5].isEmpty else {
                throw RequestError.invalid("Invalid database name: it has the form projects/P/databases/D.")
            }
            let database = DatabaseID(
                project: Text(segments[3]), database: hasDatabase ? Text(segments[5]) : "(default)")
            switch (request.method, request.verb) {
            case (.DELETE, nil) where hasDatabase && segments.count >= 7 && segments[6] == "documents":
                try await clear(database, below: segments.dropFirst(7).map { Text($0) }, responder)
            case (.GET, "securityRules"): try showRules(database, responder)
            case (.PUT, "securityRules"): try setRules(database, request, responder)
            case (.GET, "ruleCoverage"): try await ruleCoverage(database, responder)
            case (.GET, "ruleCoverage.html"): try await ruleCoveragePage(database, responder)
            case (.GET, "indexUsage"): try await indexUsage(try named(request) ?? database, responder)
            case (.GET, "advise") where hasDatabase: try await advise(database, responder)
            case (.GET, "indexes") where hasDatabase: try await listIndexes(database, responder)
            case (.PUT, "indexes") where hasDatabase: try await applyIndexes(database, request, responder)
            case (.GET, "events") where hasDatabase: try await sendEvents(database, responder)
            case (.GET, "fields") where hasDatabase: try await listFields(database, request, responder)
            case (.GET, "indexStates") where hasDatabase: try await listIndexStates(database, request, responder)
            case (.POST, "query") where hasDatabase: try await runQueryText(database, request, responder)
            case (.GET, "usage") where hasDatabase: try await usage(database, responder)
            case (.POST, "snapshot") where hasDatabase: try await takeSnapshot(database, responder)
            case (.POST, "restore") where hasDatabase: try await restore(database, request, responder)
            case (.GET, "clock"): try tellTime(responder)
            case (.PUT, "clock"): try await setClock(request, responder)
            case (.POST, "bulkDelete"): try await bulkDelete(hasDatabase ? database : nil, request, responder)
            case (.POST, "export"): try await export(hasDatabase ? database : nil, request, responder)
            case (.POST, "import"): try await importDocuments(hasDatabase ? database : nil, request, responder)
            case (.PUT, nil) where segments.count == 6 && segments[4] == "triggers":
                responder.sendEmptyObject()
            case (.POST, nil) where segments.count == 5 && segments[4] == "eventarcTrigger":
                responder.sendEmptyObject()
            default: responder.refuse()
            }
        }

        private func named(_ request: HTTPRequest) throws(RequestError) -> DatabaseID? {
            guard let name = request.parameter("database") else { return nil }
            return try ResourceName.database(name)
        }
    }
#endif
