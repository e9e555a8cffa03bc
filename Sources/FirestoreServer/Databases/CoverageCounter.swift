// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import JSONText
    internal import SecurityRules
    internal import Synchronization

    /// Counts what the expressions of a database's rules come to.
    final class CoverageCounter: Sendable {
        let served: ServedRules
        private let coverage: Mutex<RuleCoverage>

        init(_ served: ServedRules) {
            self.served = served
            coverage = Mutex(RuleCoverage(served.rules))
        }

        func add(_ explanation: RuleExplanation) { coverage.withLock { $0.add(explanation) } }

        /// As the emulator answers.
        var report: JSONNode { coverage.withLock { $0 }.report(name: served.name) }

        /// The source as a page, each expression in the colour of what it came to.
        var page: String { coverage.withLock { $0 }.page(name: served.name) }
    }
#endif
