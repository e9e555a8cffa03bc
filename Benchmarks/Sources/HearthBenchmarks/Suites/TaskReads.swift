// SPDX-License-Identifier: Apache-2.0

/// The read shapes of the tasks.
enum TaskReads {
    static func all(_ size: Int) -> [(name: String, operation: Operation)] {
        var random = SplitMix(42)
        /// Many parameter lists, so that reads fall all over the file.
        func parameters(_ count: Int = 4_096, _ make: (inout SplitMix) -> [Plain]) -> [[Plain]] {
            (0..<count).map { _ in make(&random) }
        }
        func user(_ random: inout SplitMix) -> Plain { .string(Tasks.user(random.next(below: size), of: size)) }
        func created(_ random: inout SplitMix) -> Plain { .time(Tasks.created(random.next(below: size))) }
        func project(_ random: inout SplitMix) -> Plain {
            .string(Tasks.project(random.next(below: Tasks.projectCount)))
        }
        let byTime = [(field: "created", descending: true)]
        return [
            (
                "point read, one field",
                Operation(
                    kind: .point, uses: "priority",
                    parameters: parameters(16_384) { [.string(Tasks.id($0.next(below: size)))] })
            ),
            (
                "equality, order, limit 10",
                Operation(
                    filters: [("userId", .equal)], order: byTime, limit: 10, uses: "priority",
                    parameters: parameters { [user(&$0)] })
            ),
            (
                "range, limit 20",
                Operation(
                    filters: [("created", .atLeast)], order: [("created", false)], limit: 20, uses: "priority",
                    parameters: parameters { [created(&$0)] })
            ),
            (
                "three equalities, limit 20",
                Operation(
                    filters: [("status", .equal), ("project", .equal), ("priority", .equal)], limit: 20,
                    uses: "priority",
                    parameters: parameters {
                        [
                            .string(Tasks.statuses[$0.next(below: 4)]), project(&$0),
                            .integer(Int64($0.next(below: 10))),
                        ]
                    })
            ),
            (
                "array-contains count",
                Operation(
                    kind: .count, filters: [("tags", .contains)],
                    parameters: parameters(512) { [.string(Tasks.tag($0.next(below: Tasks.tagCount)))] })
            ),
            (
                "page deep in a list, limit 20",
                Operation(
                    filters: [("project", .equal)], startsAfter: true, limit: 20, uses: "priority",
                    parameters: parameters { [project(&$0), .string(Tasks.id($0.next(below: size)))] })
            ),
            (
                "in of ten, order, limit 10",
                Operation(
                    filters: [("userId", .among(10))], order: byTime, limit: 10, uses: "priority",
                    parameters: parameters { random in
                        // Different users, as ten given ones are.
                        let first = random.next(below: size)
                        return (0..<10).map { .string(Tasks.user(first + $0 * 7, of: size)) }
                    })
            ),
            ("sum of all", Operation(kind: .sum("priority"), parameters: [[]])),
            (
                "one user's tasks, 100",
                Operation(
                    filters: [("userId", .equal)], order: byTime, uses: "priority",
                    parameters: parameters { [user(&$0)] })
            ),
        ]
    }
}
