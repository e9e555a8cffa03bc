// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import SecurityRules
    internal import Synchronization

    /// What the requests to a database evaluated of its rules, since these rules are in force.
    final class CoverageRecord: Sendable {
        /// The coverage of one version of the rules.
        final class Recorder: Sendable {
            fileprivate let served: ServedRules
            private let coverage: Mutex<RuleCoverage>

            fileprivate init(_ served: ServedRules, _ rules: RuleSet) {
                self.served = served
                coverage = Mutex(RuleCoverage(rules))
            }

            func add(_ evaluation: RuleEvaluation) { coverage.withLock { $0.add(evaluation) } }

            var sum: RuleCoverage { coverage.withLock { $0 } }
        }

        private let current = Mutex<Recorder?>(nil)

        /// Whether no request has asked the rules.
        var isEmpty: Bool { current.withLock { $0 == nil } }

        /// The recorder of these rules. That of others is forgotten.
        ///
        /// - Parameter rules: what they were compiled to.
        func recorder(of served: ServedRules, _ rules: RuleSet) -> Recorder {
            current.withLock { current in
                if let current, current.served === served { return current }
                let recorder = Recorder(served, rules)
                current = recorder
                return recorder
            }
        }
    }
#endif
