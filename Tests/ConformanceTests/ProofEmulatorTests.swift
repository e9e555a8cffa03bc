// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import JSONText
import SecurityRules
import TestSupport
import Testing

/// The emulator allows what the prover says that rules allow, and refuses it under the claim.
extension EmulatorTests {
    @Test func counterexamplesAreConfirmed() throws {
        guard let emulator = try Self.process() else { return }
        let confirmer = ProofConfirmer(emulator: emulator)
        var confirmed = 0
        for example in ProofExamples.all where example.isRefuted {
            let source = SecurityLintRule.source(example.rules)
            let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) ?? .minimum
            let prover = try #require(Prover(source, time: now))
            let claim = try Claim(parsing: example.claim)
            let found = try #require(prover.search(claim).found)
            // Without a token the emulator's process asks as the owner, whom no rules bind.
            guard found.testCase["request"]?["auth"]?["uid"] != nil else { continue }
            let allowed = try confirmer.status(found.testCase, under: source)
            #expect(allowed == 200 || allowed == 404, "\(example.claim): \(allowed): \(found.testCase.text())")
            let refused = try confirmer.status(found.testCase, under: claim.source)
            #expect(refused == 403, "\(example.claim): \(refused): \(found.testCase.text())")
            confirmed += 1
        }
        print("\(confirmed) counterexamples confirmed")
        #expect(confirmed > 5)
    }
}

/// Asks the emulator the request of a case.
private struct ProofConfirmer {
    let emulator: EmulatorProcess
    private static let root = "v1/projects/proof/databases/(default)/documents"
    private static let names = "projects/proof/databases/(default)/documents"

    func status(_ test: JSONNode, under source: String) throws -> Int {
        let content = JSONNode.object(["name": .string("x.rules"), "content": .string(source)])
        let rules = JSONNode.object(["rules": .object(["files": .array([content])])])
        _ = try emulator.send("PUT", "emulator/v1/projects/proof:securityRules", Data(rules.text().utf8))
        _ = try emulator.send("DELETE", "emulator/v1/projects/proof/databases/(default)/documents")
        for document in test["documents"]?.members ?? [] {
            let body = Data("{\"fields\":\(document.node.text())}".utf8)
            _ = try emulator.send("PATCH", "\(Self.root)/\(document.key)", body, authorization: "Bearer owner")
        }
        let request = try #require(test["request"])
        let token = token(request["auth"])
        return try send(request, as: token).status
    }

    private func send(_ request: JSONNode, as token: String?) throws -> (status: Int, body: Data) {
        let path = request["path"]?.string ?? ""
        let name = JSONNode.string("\(Self.names)/\(path)")
        var write: [JSONMember] = []
        switch request["method"]?.string {
        case "get": return try emulator.send("GET", "\(Self.root)/\(path)", authorization: token)
        case "list":
            let parent = request["parent"]?.string ?? ""
            let body = JSONNode.object(["structuredQuery": request["query"] ?? .object([:])])
            let place = parent.isEmpty ? Self.root : "\(Self.root)/\(parent)"
            return try emulator.send("POST", "\(place):runQuery", Data(body.text().utf8), authorization: token)
        case "delete": write = [JSONMember(key: "delete", node: name)]
        default:
            let document = JSONNode.object(["name": name, "fields": request["data"] ?? .object([:])])
            write = [JSONMember(key: "update", node: document)]
            if let transforms = request["transforms"] {
                write.append(JSONMember(key: "updateTransforms", node: transforms))
            }
        }
        let exists = request["method"]?.string != "create"
        write.append(JSONMember(key: "currentDocument", node: .object(["exists": .boolean(exists)])))
        let body = JSONNode.object(["writes": .array([JSONNode(.object(write))])])
        return try emulator.send("POST", "\(Self.root):commit", Data(body.text().utf8), authorization: token)
    }

    /// An unsigned token; nil for nobody.
    private func token(_ auth: JSONNode?) -> String? {
        guard let members = auth?.members, let uid = auth?["uid"] else { return nil }
        func part(_ text: String) -> String {
            Base64.encode(Array(text.utf8)).replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        }
        let own = members.filter { $0.key != "uid" }
        let claims = [JSONMember(key: "sub", node: uid), JSONMember(key: "user_id", node: uid)] + own
        return "Bearer \(part(#"{"alg":"none","type":"JWT"}"#)).\(part(JSONNode(.object(claims)).text()))."
    }
}
