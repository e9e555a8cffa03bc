// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import SecurityRules

/// What the compiler says besides the recorded cases. All answers are those of the official emulator 1.19.9.
@Suite struct CompilerWarningTests {
    /// Line, column and text of each issue, of functions that begin in line 1 and a condition or a path in line 2.
    private static func issues(
        _ condition: String, functions: String = "", path: String = "/c/{x}"
    ) -> [String] {
        let source = """
            rules_version = '2'; service cloud.firestore { match /databases/{database}/documents {
            \(functions)
            match \(path) { allow read: if
            \(condition); } } }
            """
        return RuleSet.compile(source).issues.map(\.line)
    }

    private static let different =
        "Ternary operator result if condition is true has a different type than if condition is false."
    private static let numbers = "[int, float, string, duration, timestamp]"

    /// Conditions, and the columns of the `?` of conditionals with results of different types.
    @Test(arguments: [
        ("(true ? 'a' : 1) == 'a'", [7]), ("(true ? 'a' : null) == 1", [7]), ("(true ? null : 1) == 1", [7]),
        ("(x == 'a'   ?   'a' : 1) == 'a'", [13]), ("(true ? (false ? 1 : 'a') : 2) == 3", [16]),
        ("(true ? 'a' : 1) + 1 == 2", [7]), ("(true ? 1 : 1.5) == 'a'", [7]), ("math.abs(true ? 1 : 1.5) == 1", [15]),
        ("(true ? 1+1 : null) == 1", [7]), ("(true ? int('1') : 1.5) == 1", [7]), ("(true ? x : 1) == 1", [7]),
        ("(true ? 'a' : null) != 1", [7]), ("(true ? {'a': 1} : [1]) == 1", [7]), ("(true ? 'a' : 1) is string", [7]),
        ("(true ? 'a' : 'b') == 1", []), ("(true ? 1+1 : 'a') == 1", []), ("(true ? -1 : -1.5) == 1", []),
        ("(true ? request.a : null) == 1", []), ("(true ? x[0:1] : 'a') == 1", []),
    ])
    func conditionals(_ condition: String, _ columns: [Int]) {
        #expect(Self.issues(condition) == columns.map { "L4:\($0) \(Self.different)" })
    }

    /// A result that does not fit is reported for itself.
    @Test(arguments: [
        ("(true ? 'a' : null) + 1 == 1", ["L4:15 Invalid type. Received one of [null]. Expected one of \(numbers)."]),
        ("x.matches(true ? 'a' : 1)", ["L4:24 Invalid type. Received one of [int]. Expected one of [string]."]),
        ("(true ? true : 1) && true", ["L4:16 Invalid type. Received one of [int]. Expected one of [bool]."]),
    ])
    func resultsThatDoNotFit(_ condition: String, _ expected: [String]) {
        #expect(Self.issues(condition) == expected)
    }

    /// What arithmetic is wanted for says what its operands may be. Column, type and the types that are expected.
    @Test(arguments: [
        ("x.matches('a' + request.auth.uid + null)", ["36 null string"]), ("x.matches('a' + 1)", ["17 int string"]),
        ("x.matches('a' + 1.5 + null)", ["17 float string", "23 null string"]),
        ("x[1 + null] == 'a'", ["7 null int, float, string"]), ("('a' + null).size() == 1", ["8 null string"]),
        ("math.abs(1 + null) == 1", ["14 null int, float"]), ("math.abs('a' + 1) == 1", ["10 string int, float"]),
        ("math.abs(duration.value(1,'d') - null) == 1", ["19 duration int, float", "34 null int, float"]),
        ("1 * (2 + null) == 1", ["10 null int, float"]),
        ("1 - (2 + null) == 1", ["10 null int, float, duration, timestamp"]),
        ("-(2 + null) == 1", ["7 null int, float, duration"]), ("-(1 + 'a') == 1", ["7 string int, float, duration"]),
        ("(timestamp.date(2020,1,1) + null).year() == 1", ["29 null timestamp, duration"]),
        ("(timestamp.date(2020,1,1) - null).year() == 1", ["29 null duration"]),
        ("(1 + null).year() == 1", ["2 int duration, timestamp", "6 null timestamp, duration"]),
        ("(1 + null).seconds() == 1", ["2 int duration, timestamp", "6 null duration, timestamp"]),
        ("1 + (2 + null) == 1", ["10 null int, float, string, duration, timestamp"]),
        ("(timestamp.date(2020,1,1) + duration.value(1,'d')).year() == 1", []), ("math.sqrt(1 + 1.5) == 1", []),
        ("(timestamp.date(2020,1,1) - timestamp.date(2020,1,1)).seconds() == 1", []), ("x[1 + 1.5] == 'a'", []),
    ])
    func arithmetic(_ condition: String, _ expected: [String]) {
        let lines = expected.map { words -> String in
            let parts = words.split(separator: " ", maxSplits: 2)
            return "L4:\(parts[0]) Invalid type. Received one of [\(parts[1])]. Expected one of [\(parts[2])]."
        }
        #expect(Self.issues(condition) == lines)
    }

    /// What is negated is an operand of its own, without one pair of parentheses. Column, type and the types that are expected.
    @Test(arguments: [
        ("duration.abs(-1).nanos() == 1", ["15 int duration"]), ("duration.abs(- 1).nanos() == 1", ["16 int duration"]),
        ("duration.abs((-1)).nanos() == 1", ["16 int duration"]),
        ("duration.abs(-(1)).nanos() == 1", ["16 int duration"]),
        ("duration.abs(-0).nanos() == 1", ["15 int duration"]),
        ("duration.abs(-(-1)).nanos() == 1", ["17 int duration"]),
        ("duration.abs(-9223372036854775808).nanos() == 1", ["14 int duration"]),
        ("(-1).seconds() == 1", ["3 int duration"]), ("(timestamp.value(0) + -1).year() == 1", ["24 int duration"]),
        ("(-1 + 1).seconds() == 1", ["3 int duration", "7 int duration, timestamp"]),
        ("-('a') == 1", ["3 string int, float, duration"]), ("-(('a')) == 1", ["3 string int, float, duration"]),
        ("-(-('a')) == 1", ["5 string int, float, duration"]),
        ("(b'a').seconds() == 1", ["2 bytes duration, timestamp"]), ("math.abs(-1) == 1", []),
        ("math.sqrt(-1) == 1", []), ("x[-1] == 'a'", []), ("-1 + 1.5 == -0", []),
    ])
    func minusSigns(_ condition: String, _ expected: [String]) {
        arithmetic(condition, expected)
    }

    /// Uses of `resource` and `request` that no value fits, reported where the condition or the body of the function begins.
    @Test(arguments: [
        ("resource-1 == 1 && resource.data.a == 1", "", ["L4:1 resource"]),
        ("true && resource.data.a == 1 && resource-1 == 1", "", ["L4:1 resource"]),
        ("(resource - 1 == 1 && resource.data.a == 1)", "", ["L4:1 resource"]),
        ("resource.matches('a') && resource.data.b == 1", "", ["L4:1 resource"]),
        ("get(resource).data.a == 1 && resource.data.a == 1 && request == 1", "", ["L4:1 resource"]),
        ("f() && resource-1 == 1", "function f() { return resource.data.a == 1; }", []),
        ("f(resource) && resource-1 == 1", "function f(p) { return p.data.a == 1; }", ["L4:1 resource"]),
        ("f()", "function f() { let y = request.auth; return y == request + 1; }", ["L2:16 request"]),
        ("f()", "function f() { let /* one */ y = request.auth; return y == request + 1; }", ["L2:16 request"]),
        ("f()", "function f() { let\ny = request.auth; return y == request + 1; }", ["L2:16 request"]),
        ("f()", "function f() { return (resource - 1 == 1 && resource.data.a == 1); }", ["L2:23 resource"]),
        ("resource-1 == 1 && resource+'a' == 'b'", "", []), ("resource[0] == 1 && resource.data.a == 1", "", []),
    ])
    func usesThatNothingFits(_ condition: String, _ functions: String, _ expected: [String]) {
        let lines = expected.map {
            $0.replacing(" ", with: " Invalid type. There is no type for variable '") + "' that satisfies all clauses."
        }
        #expect(Self.issues(condition, functions: functions) == lines)
    }

    /// The `let` behind those that are allowed.
    @Test func tooManyVariables() {
        let lets = (0...11).map { "let\nv\($0) = x == 'a';" }.joined()
        let limit = "Maximum allowed variable count of 10 for a given function has been reached."
        let issues = Self.issues("f('a')", functions: "function f(x) { \(lets)let\nw = true; return w; }")
        #expect(issues.contains("L14:16 \(limit)"), "\(issues)")
    }

    private static func wrongCall(_ column: Int, _ name: String, line: Int = 4) -> String {
        "L\(line):\(column) Incorrect number of arguments supplied to function: \(name)."
    }

    /// Functions are checked as called, also if all calls have a wrong number of arguments.
    @Test(arguments: ["f()", "f(1, 2)"]) func wrongCalls(_ call: String) {
        let issues = Self.issues(call, functions: "function f(a) { let y = request.auth; return z == a; }")
        #expect(issues == ["L2:21 Unused variable: y.", "L2:46 Invalid variable name: z.", Self.wrongCall(1, "f")])
    }

    @Test func wrongCallsOfOthers() {
        let functions =
            "function f(a) { return g(a) && h(); } function g(p) { return request == p; } "
            + "function h(z) { return w; }"
        #expect(
            Self.issues("f()", functions: functions) == [
                Self.wrongCall(32, "h", line: 2), "L2:89 Unused variable: z.", "L2:101 Invalid variable name: w.",
                Self.wrongCall(1, "f"),
            ])
    }

    /// They are recursion, too.
    @Test func recursion() {
        let own = Self.issues("f(1)", functions: "function f(a) { return f() == a; }")
        #expect(own == ["L2:10 Recursive call is not allowed.", Self.wrongCall(24, "f", line: 2)])
        let functions = "function f(a) { return g() == a; } function g(a) { return f(a); }"
        #expect(
            Self.issues("f(1)", functions: functions) == [
                "L2:10 Detected a call cycle between [f,g] functions.", Self.wrongCall(24, "g", line: 2),
            ])
    }

    @Test(arguments: [
        ("/c/{x}/b/{x}", ["L3:17 x"]), ("/c/{x}/b/{y}/d/{x}", ["L3:23 x"]), ("/c/{x}/b/{x=**}", ["L3:17 x"]),
        ("/c/{x}/b/{x}/d/{x}", ["L3:17 x", "L3:23 x"]), ("/c/{y}/b/{y}/e/{x}/f/{x}", ["L3:17 y", "L3:29 x"]),
        ("/c/{database}", []),
    ])
    func repeatedCaptures(_ path: String, _ expected: [String]) {
        let issues = Self.issues("true", path: path)
        let lines = expected.map { $0.replacing(" ", with: " Variable ") + " already exists in the PathTemplate." }
        #expect(issues == lines)
    }

    /// They end the compiler before it looks at names and types.
    @Test func nothingElseIsSaidBesideRepeatedCaptures() {
        let issues = Self.issues("nothing", functions: "function f(a) { return 1; }", path: "/c/{x}/b/{x}")
        #expect(issues == ["L3:17 Variable x already exists in the PathTemplate."])
    }
}
