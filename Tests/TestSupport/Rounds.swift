// SPDX-License-Identifier: Apache-2.0

/// How much of a random or large test is done: all of it in the release round of `make test`, which runs these tests again, and a part
/// in the debug round, enough to meet what only a debug build checks.
package enum Rounds {
    #if DEBUG
        /// One in so many.
        package static let share = 10
    #else
        package static let share = 1
    #endif

    package static func of(_ count: Int) -> Int { max(1, count / share) }
}
