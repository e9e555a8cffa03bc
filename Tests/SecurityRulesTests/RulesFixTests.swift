// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import SecurityRules

/// What `--fix` writes.
@Suite struct RulesFixTests {
    @Test(arguments: [
        ("math.isNan(resource.data.n)", "math.isNaN(resource.data.n)"),
        ("math.ABS(resource.data.n) == 1", "math.abs(resource.data.n) == 1"),
        ("timestamp.Date(2026, 1, 1) < request.time", "timestamp.date(2026, 1, 1) < request.time"),
        ("math . isNan(1.0) == false", "math . isNaN(1.0) == false"),
    ])
    func functionsOfPackagesKeepTheirPackage(_ wrong: String, _ right: String) throws {
        func source(_ condition: String) -> String {
            SecurityLintRule.source("match /a/{b} {\n  allow get: if \(condition);\n}")
        }
        let fixed = try #require(RulesLinter.fixed(source(wrong)))
        #expect(fixed.source == source(right))
        #expect(fixed.count == 1)
    }
}
