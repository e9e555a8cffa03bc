// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// How much of a random or large test runs: all of it in the release round of `make test`, which repeats these tests,
/// and a part in the debug round, enough for the checks of debug builds.
package enum Rounds {
    #if DEBUG
        /// The debug round runs one in this many.
        package static let share = 10
    #else
        package static let share = 1
    #endif

    package static func of(_ count: Int) -> Int { max(1, count / share) }

    /// The number that a variable of the environment asks for, if it is set.
    package static func of(_ count: Int, or variable: String) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? of(count)
    }
}
