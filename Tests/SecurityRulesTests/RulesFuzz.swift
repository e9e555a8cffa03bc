// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestSupport

/// How much the random tests of rules do.
enum RulesFuzz {
    /// The number that the environment asks for, else that of the round.
    static func count(of usual: Int) -> Int {
        ProcessInfo.processInfo.environment["HEARTH_RULES_FUZZ"].flatMap { Int($0) } ?? Rounds.of(usual)
    }
}
