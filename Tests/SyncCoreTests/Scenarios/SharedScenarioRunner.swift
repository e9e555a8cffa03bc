// SPDX-License-Identifier: Apache-2.0

import JSONText
import SyncCore

/// Runs a scenario in which several clients have one file open. The first one is the owner, until it is shut down.
///
/// All clients follow each other at once. What a client's program is told in between counts for the client's next step.
final class SharedScenarioRunner {
    private let scenario: Scenario
    private let mode: Scenario.Mode
    /// Keeps the file. No client uses it.
    private let file: FileReplica
    /// The clients by their number in the scenario. Each starts with its first step, and again after it was shut down.
    private var clients: [Int: ScenarioRunner] = [:]

    init(_ scenario: Scenario, _ mode: Scenario.Mode) throws {
        self.scenario = scenario
        self.mode = mode
        file = try FileReplica()
        file.close()
    }

    /// What differs from what the scenario expects, with the step; nil if nothing does.
    func run() throws -> String? {
        for (number, step) in scenario.steps.enumerated() {
            let index = Int(step["clientIndex"]?.number?.int64 ?? 0)
            if clients[index] == nil {
                clients[index] = ScenarioRunner(scenario, mode, try FileReplica(besides: file))
            }
            // Who fails to read what others have done tries again when the scenario says so.
            let react = step["failDatabase"] == nil ? follow : {}
            if let difference = clients[index]!.difference(in: step, number + 1, andThen: react) {
                return "client \(index), \(difference)"
            }
            clients[index]!.observed = Observed()
            if clients[index]!.isShutDown { clients[index] = nil }
        }
        return clients.values.first?.problem()
    }

    private func follow() {
        for _ in 0..<3 {
            for index in clients.keys.sorted() { clients[index]!.feed(.replicaChanged) }
        }
    }
}
