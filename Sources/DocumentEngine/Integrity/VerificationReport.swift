// SPDX-License-Identifier: Apache-2.0

/// The result of a verification.
package struct VerificationReport: Sendable {
    package internal(set) var documents = 0
    package internal(set) var entries = 0
    package private(set) var problemCount = 0
    /// Descriptions of the first hundred problems.
    package private(set) var problems: [String] = []

    /// A damaged file could have millions.
    private static let maximumProblems = 100

    mutating func note(_ problem: String) {
        if problems.count < VerificationReport.maximumProblems { problems.append(problem) }
        problemCount += 1
    }
}
