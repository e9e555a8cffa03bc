// SPDX-License-Identifier: Apache-2.0

import JSONText
import SyncCore

/// Runs a scenario in which several clients have one file open. The first one is the owner.
///
/// All clients follow each other at once. What a client's program is told in between counts for the client's next step.
final class SharedScenarioRunner {
    private let scenario: Scenario
    private let mode: Scenario.Mode
    private let first: FileReplica
    /// The clients by their number in the scenario. Each starts with its first step.
    private var clients: [Int: ScenarioRunner] = [:]

    init(_ scenario: Scenario, _ mode: Scenario.Mode) throws {
        self.scenario = scenario
        self.mode = mode
        first = try FileReplica()
    }

    /// What differs from what the scenario expects, with the step; nil if nothing does.
    func run() throws -> String? {
        for (number, step) in scenario.steps.enumerated() {
            let index = Int(step["clientIndex"]?.number?.int64 ?? 0)
            if clients[index] == nil {
                clients[index] = ScenarioRunner(
                    scenario, mode, clients.isEmpty ? first : try FileReplica(besides: first))
            }
            if let difference = clients[index]!.difference(in: step, number + 1, andThen: follow) {
                return "client \(index), \(difference)"
            }
            clients[index]!.observed = Observed()
        }
        return clients[0]?.problem()
    }

    private func follow() {
        for _ in 0..<3 {
            for index in clients.keys.sorted() { clients[index]!.feed(.replicaChanged) }
        }
    }
}
