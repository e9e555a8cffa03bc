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

    /// An edit for one caller would be wrong for another.
    @Test(arguments: [
        "function f(d) { return d.owner == 'a'; } match /a/{b} { allow get: if f(resource) || f(resource.data); }",
        "function f(d) { let e = d; return (e).owner == 'a'; } match /a/{b} { allow get: if f(resource); }",
        "function f(a) { return a.email == 1; } match /a/{b} { allow get: if f(request.auth) || f(request.auth.token); }",
        "function f(r) { return r.auht != null; } match /a/{b} { allow get: if f(request) || f(resource.data); }",
        "function f(k) { return request[k].owner == 1; } match /a/{b} { allow create: if f('resource') || f('auth'); }",
    ])
    func functionsOfSeveralMeaningsAreLeft(_ rules: String) {
        let source = SecurityLintRule.source(rules)
        #expect(RulesLinter.findings(in: source).contains { $0.rule.isFixable })
        #expect(RulesLinter.fixed(source) == nil)
    }

    @Test(arguments: [
        (
            "function f() { return (request.auth).email == 1; } match /a/{b} { allow get: if f(); }", ".email",
            ".token.email"
        ),
        ("function f(x) { return request.auht == x; } match /a/{b} { allow get: if f(1) || f(2); }", ".auht", ".auth"),
        (
            "function f(x) { return get(x).owner == 1; } match /a/{b} { allow get: if f(/a/b); }", ".owner",
            ".data.owner"
        ),
        ("function f() { return resource; } match /a/{b} { allow get: if f().owner == 'a'; }", ".owner", ".data.owner"),
    ])
    func functionsOfOneMeaningAreFixed(_ rules: String, _ wrong: String, _ right: String) {
        let source = SecurityLintRule.source(rules)
        #expect(RulesLinter.fixed(source)?.source == source.replacing(wrong, with: right))
    }
}
