// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

extension RuleSet {
    /// Decides a request of a suite: nothing is read, and functions that read give what the case says.
    ///
    /// - Parameter now: the time of requests without one.
    package func decide(_ test: RuleSuiteCase, now: Timestamp) -> Decision {
        DecisionMaker.decide(program, test, now: RuleTimestamp(now.inWholeMilliseconds))
    }
}
