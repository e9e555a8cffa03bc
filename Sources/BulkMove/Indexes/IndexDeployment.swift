// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog
internal import JSONText
internal import SyncCore

/// Makes a server's indexes those of a configuration, and waits until they can be used.
package struct IndexDeployment<DeploymentClock: Clock>: Sendable where DeploymentClock.Duration == Duration {
    private let server: any AdminServer
    private let database: DatabaseID
    private let clock: DeploymentClock
    private let random: @Sendable () -> Double
    private let reportRetry: RetryRule.Report

    /// Seconds between two questions whether something is ready.
    private static var interval: Double { 2 }

    /// - Parameters:
    ///   - random: gives numbers from 0 to 1.
    ///   - reportRetry: told of each request that is made again.
    package init(
        _ server: any AdminServer, _ database: DatabaseID, clock: DeploymentClock,
        random: @escaping @Sendable () -> Double, reportRetry: @escaping RetryRule.Report = { _, _ in }
    ) {
        self.server = server
        self.database = database
        self.clock = clock
        self.random = random
        self.reportRetry = reportRetry
    }

    /// Changes what differs. Composite indexes are built together, fields are changed one after another. Stopped and run
    /// again, it goes on with what is missing.
    ///
    /// - Parameter report: told what is done next.
    /// - Returns: what differed.
    /// - Throws: a ``SyncCore/SyncError``: of the server, or for an index that cannot be built.
    package func run(
        _ wanted: IndexConfiguration, report: (String) -> Void
    ) async throws -> IndexDifference {
        let (present, _) = try await listing()
        let difference = IndexDifference(from: present, to: wanted)
        for definition in difference.composites {
            report("creating the index \(definition.collectionGroup) \(definition.properties)")
            do throws(SyncError) {
                _ = try await send(IndexDifference.request(definition, database))
            } catch {
                // An attempt whose answer was lost has made it.
                guard error.code == .alreadyExists else { throw error }
            }
        }
        for change in difference.fields {
            report("changing the field \(change.override.collectionGroup).\(change.override.path?.wire ?? "*")")
            try await finish(await send(change.request(database)))
        }
        try await waitForIndexes(Set(wanted.indexes), report)
        return difference
    }

    /// The server's composite indexes and field overrides, those too that are being built.
    ///
    /// - Throws: a ``SyncCore/SyncError`` of the server.
    package func present() async throws -> IndexConfiguration { try await listing().0 }

    /// Waits for a long-running operation.
    private func finish(_ operation: JSONNode) async throws {
        var operation = operation
        while operation["done"]?.boolean != true {
            guard let name = operation["name"]?.string else { return }
            try await clock.sleep(for: .seconds(Self.interval))
            operation = try await send(AdminRequest(.get, name))
        }
        if let error = operation["error"] {
            throw SyncError(
                .failedPrecondition, "A field could not be changed: \(error["message"]?.string ?? error.text())")
        }
    }

    private func waitForIndexes(_ wanted: Set<IndexDefinition>, _ report: (String) -> Void) async throws {
        var last = -1
        while true {
            let (present, unready) = try await listing()
            let missing = wanted.subtracting(present.indexes)
            guard missing.isEmpty else {
                throw SyncError(
                    .notFound, "The server does not list \(missing.count) of the indexes that it was told to create.")
            }
            if let damaged = unready.first(where: { $0.state == "NEEDS_REPAIR" }) {
                throw SyncError(
                    .failedPrecondition,
                    "The server could not build the index \(damaged.name). Delete it in the console and push again.")
            }
            guard !unready.isEmpty else { return }
            if unready.count != last { report("waiting for \(unready.count) indexes that the server builds") }
            last = unready.count
            try await clock.sleep(for: .seconds(Self.interval))
        }
    }

    /// The server's indexes and overrides, and the indexes that are not ready.
    private func listing() async throws -> (IndexConfiguration, unready: [(name: String, state: String)]) {
        let root = IndexDifference.path(database) + "/collectionGroups/-/"
        let filter = IndexDifference.encoded("indexConfig.usesAncestorConfig=false OR ttlConfig:*")
        var entries = try await list(root + "indexes?pageSize=1000", "indexes")
        entries += try await list(root + "fields?pageSize=1000&filter=\(filter)", "fields").filter { entry in
            // The default of the whole database is not ours to change.
            entry["name"]?.string?.contains("/collectionGroups/__default__/") != true
        }
        guard !entries.isEmpty else { return (IndexConfiguration(), []) }
        let source = Array(JSONNode.array(entries).text().utf8)
        return (ConfigurationReader.read(source).configuration, IndexListing.unready(source))
    }

    private func list(_ path: String, _ key: String) async throws -> [JSONNode] {
        var entries: [JSONNode] = []
        var token = ""
        repeat {
            let page = try await send(
                AdminRequest(.get, token.isEmpty ? path : "\(path)&pageToken=\(IndexDifference.encoded(token))"))
            entries += page[key]?.elements ?? []
            token = page["nextPageToken"]?.string ?? ""
        } while !token.isEmpty
        return entries
    }

    /// Sends again what may pass.
    private func send(_ request: AdminRequest) async throws(SyncError) -> JSONNode {
        do {
            return try await RetryRule.retrying(clock, random, reportRetry) { [server] () throws(SyncError) in
                try await server.send(request)
            }
        } catch let error as SyncError {
            throw error
        } catch {
            throw SyncError(.cancelled, "The deployment of indexes was cancelled.")
        }
    }
}
