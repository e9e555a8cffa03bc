// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ScenarioTests {
    /// How many scenarios there are and pass, at least: 217 for one client, and 61 for several ones on one file.
    private static let floor = [ReplicaPlace.memory: 217, .file: 278]

    @Test(arguments: ReplicaPlace.allCases) func officialScenariosPass(_ place: ReplicaPlace) throws {
        guard let folder = ScenarioTests.folder else { return }
        let report = ScenarioReport(try Scenario.all(in: folder), in: place)
        report.print(withReasons: ScenarioTests.isAsked)
        #expect(report.applicable.count - report.failures.count >= ScenarioTests.floor[place]!)
    }

    /// The folder of `Scripts/sync-scenarios.sh`, or the one beside the package.
    private static var folder: URL? {
        asked.map { URL(filePath: $0) } ?? Locations.sharedData("ScenarioTests")?.appending(path: "sync-scenarios")
    }

    private static var asked: String? { ProcessInfo.processInfo.environment["HEARTH_SYNC_SCENARIOS"] }
    private static var isAsked: Bool { asked != nil }
}

/// What became of each scenario.
struct ScenarioReport {
    private let place: ReplicaPlace
    let applicable: [Scenario]
    /// Those that fail in a mode in which they apply.
    let failures: [(scenario: Scenario, reason: String)]
    private let inapplicable: [(scenario: Scenario, reason: String)]

    init(_ scenarios: [Scenario], in place: ReplicaPlace) {
        self.place = place
        applicable = scenarios.filter { $0.reasonAgainst(in: place) == nil }
        inapplicable = scenarios.compactMap { scenario in scenario.reasonAgainst(in: place).map { (scenario, $0) } }
        failures = applicable.compactMap { scenario in
            ScenarioReport.failure(of: scenario, in: place).map { (scenario, $0) }
        }
    }

    private static func failure(of scenario: Scenario, in place: ReplicaPlace) -> String? {
        for mode in Scenario.Mode.allCases where scenario.applies(in: mode) {
            do {
                let reason =
                    scenario.isShared
                    ? try SharedScenarioRunner(scenario, mode).run() : try ScenarioRunner(scenario, mode, place).run()
                if let reason { return "\(mode): \(reason)" }
            } catch {
                return "\(mode): \(error)"
            }
        }
        return nil
    }

    /// - Parameter withReasons: whether to name each scenario that says nothing about this client, and why.
    func print(withReasons: Bool) {
        for (scenario, reason) in failures { Swift.print("FAIL \(scenario.title)\n     \(reason)") }
        for (scenario, reason) in inapplicable where withReasons {
            Swift.print("n/a  \(scenario.title)\n     \(reason)")
        }
        for (reason, group) in Dictionary(grouping: inapplicable, by: \.reason).sorted(by: { $0.key < $1.key }) {
            Swift.print("\(group.count) scenarios do not apply: \(reason)")
        }
        let passing = applicable.count - failures.count
        Swift.print("\(passing) of \(applicable.count) scenarios pass, the replica in \(place)")
    }
}

extension Scenario {
    fileprivate var title: String { "\(file.dropLast("_spec_test.json".count)): \(name)" }
}
