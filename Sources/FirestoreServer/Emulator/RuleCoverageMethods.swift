// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import NIOHTTP1
    internal import SecurityRules

    extension EmulatorMethods {
        /// What the requests so far evaluated of the rules, in the emulator's form.
        func ruleCoverage(_ id: DatabaseID, _ responder: HTTPResponder) async throws(RequestError) {
            let (name, coverage) = try await coverage(of: id)
            responder.sendJSON(Array(coverage.report(name: name).text().utf8))
        }

        /// The same as a page.
        func ruleCoveragePage(_ id: DatabaseID, _ responder: HTTPResponder) async throws(RequestError) {
            let (name, coverage) = try await coverage(of: id)
            responder.send(.ok, "text/html; charset=utf-8", Array(coverage.page(name: name).utf8))
        }

        private func coverage(
            of id: DatabaseID
        ) async throws(RequestError) -> (name: String, coverage: RuleCoverage) {
            let database = try await service.databases.database(id)
            guard let served = rules.rules(of: id) else {
                throw RequestError(.failedPrecondition, "The database has no rules: set them, or start with --rules.")
            }
            return (served.name, database.coverage.recorder(of: served, try served.compiled.get()).sum)
        }
    }
#endif
