// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import SecurityRules

/// Examples of the documentation of RE2's syntax.
@Suite struct PatternTests {
    @Test(arguments: [
        ("a.c", "abc", true), ("a.c", "a\nc", false), ("(?s)a.c", "a\nc", true), ("[^a]", "\n", true),
        ("a|b|", "", true), ("a{2,3}", "aaa", true), ("a{2,3}", "aaaa", false), ("a{,2}", "a{,2}", true),
        ("\\d+\\s\\w", "12 x", true), ("[[:alpha:]]+", "abc", true), ("[[:^digit:]]", "a", true),
        ("\\pL\\p{Nd}", "é٣", true), ("\\p{Greek}+", "αβγ", true), ("\\P{Greek}", "a", true),
        ("\\p{^Greek}", "a", true),
        ("(?i)straße", "STRAẞE", true), ("(?i)k", "\u{212A}", true),
        ("(?i)\\P{Ll}", "A", false), ("(?i)[^k]", "\u{212A}", false), ("\\x41\\x{1F600}", "A😀", true), (".", "😀", true),
        ("\\Qa.b\\E.", "a.bc", true), ("^a$", "a", true), ("(?m)^a$\\n^b$", "a\nb", true), ("\\bab\\b", "ab", true),
        ("a\\Bb", "ab", true), ("(?U)a+b", "aab", true), ("[a-c-e]", "-", true), ("[]a]", "]", true),
        ("\\101", "A", true), ("a(?i)*", "aaa", true), ("a(?i)*", "aaA", false), ("a*(?s)*", "aaa", true),
        ("a(?U)??", "", true),
    ])
    func matchesWholeTexts(_ pattern: String, _ text: String, _ matches: Bool) throws {
        #expect(try #require(Pattern(pattern)).matches(Array(text.utf16)) == matches)
    }

    @Test(arguments: [
        "(", ")", "[", "[a", "a**", "a++", "*", "(?=a)", "(?<!a)", "\\1", "\\8", "a{1001}", "a{2,1}", "[z-a]",
        "\\p{Nope}",
        "(?P<a>a)(?P<a>b)", "(?x)a", "\\", "\\C", "[[:nope:]]", "\\u0041", "(?i", "(?P<>a)", "(?i)*", "a|(?i)*",
    ])
    func refusesWhatIsNoPattern(_ pattern: String) {
        #expect(Pattern(pattern) == nil)
    }

    @Test func replacesAndSplits() throws {
        func units(_ text: String) -> [UInt16] { Array(text.utf16) }
        let pairs = try #require(Pattern("(\\w)(?P<second>\\d)"))
        #expect(pairs.replace(units("a1-b2"), units("$2${second}$1\\$")) == units("11a$-22b$"))
        #expect(pairs.replace(units("a1"), units("$3")) == nil)
        #expect(try #require(Pattern("a|ab")).replace(units("ab"), units("x")) == units("xb"))
        #expect(try #require(Pattern("(a+?)(a*)")).replace(units("aaa"), units("$1,$2")) == units("a,aa"))
        #expect(
            try #require(Pattern(",")).split(units("a,,b,,")).map { String(decoding: $0, as: UTF16.self) } == [
                "a", "", "b",
            ])
    }

    /// Patterns on which backtracking takes exponential time.
    @Test(arguments: ["(a*)*b", "(a|a)*b", "(a+)+b", "(.*)(.*)(.*)(.*)(.*)x", "(a?){500}a{500}b", "((a{1,20}){1,20})b"])
    func timeIsLinear(_ pattern: String) throws {
        let text = Array(repeating: UInt16(0x61), count: 2_000)
        #expect(!(try #require(Pattern(pattern)).matches(text)))
    }

    /// Nothing, a thousand times a thousand times: the emulator answers five thousand times, fails at a million and hangs at more.
    @Test(arguments: ["(?:)", "a{0}", "(?:a{0}){3}"])
    func repetitionsOfNothingAreBounded(_ nothing: String) throws {
        #expect(try #require(Pattern("(?:(?:\(nothing)){1000}){5}")).matches([]))
        for levels in [2, 3, 15] {
            try #require(Pattern((0..<levels).reduce(nothing) { inner, _ in "(?:\(inner)){1000}" }) == nil)
        }
    }

    /// Two limits of the emulator, which counts groups that only set flags, too. The last is deep without any group.
    @Test func groupsAreLimited() {
        for group in ["(a)", "(?:a)", "a(?i)"] {
            #expect(Pattern(String(repeating: group, count: 100)) != nil)
            #expect(Pattern(String(repeating: group, count: 101)) == nil)
        }
        #expect(Pattern("a*" + String(repeating: "(?s)*", count: 3_000)) == nil)
        #expect(Pattern("a*" + String(repeating: "\\Q\\E*", count: 3_000)) == nil)
    }

    @Test func hugePatternsAreRefused() {
        #expect(Pattern("(a{1,1000}){1,1000}") == nil)
        #expect(Pattern(String(repeating: "(", count: 21) + String(repeating: ")", count: 21)) == nil)
        #expect(Pattern(String(repeating: "a", count: 100_000)) == nil)
    }
}

extension Pattern {
    func split(_ text: [UInt16], atMost most: Int = .max) -> [[UInt16]] {
        var steps = Int.max
        return split(text, atMost: most, &steps)
    }

    func replace(_ text: [UInt16], _ template: [UInt16], atMost most: Int = .max) -> [UInt16]? {
        var steps = Int.max
        return replace(text, template, atMost: most, &steps)
    }
}
