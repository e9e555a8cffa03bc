// SPDX-License-Identifier: Apache-2.0

/// What a verification saw.
package struct VerificationReport: Sendable {
    package internal(set) var documents = 0
    package internal(set) var entries = 0
    package private(set) var problemCount = 0
    /// The first hundred, in words.
    package private(set) var problems: [String] = []

    /// Enough to see what is wrong; a damaged file could have millions.
    private static let maximumProblems = 100

    mutating func note(_ problem: String) {
        if problems.count < VerificationReport.maximumProblems { problems.append(problem) }
        problemCount += 1
    }
}
