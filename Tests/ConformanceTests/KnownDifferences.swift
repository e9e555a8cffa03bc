// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner

/// A way in which the emulator differs from production, and what says so.
struct KnownDifference: Sendable {
    /// The rule of firestore-semantics.md, or the recorded case, that decides for Hearth.
    let rule: String
    /// What the emulator does.
    let reason: String
    /// Whether this explains why two answers to a query differ.
    let explains: @Sendable (_ scenario: Scenario, _ hearth: Answer, _ emulator: Answer) -> Bool

    static let all: [KnownDifference] = []
}
