// SPDX-License-Identifier: Apache-2.0

/// What holds of something that a condition tests.
enum Fact {
    case holds(Bool)
    /// It is this constant.
    case equal(String)
    /// It is none of these constants.
    case unequal(Set<String>)

    /// Both; nil if they contradict each other.
    func merged(with other: Fact) -> Fact? {
        switch (self, other) {
        case (.holds(let first), .holds(let second)): first == second ? self : nil
        case (.equal(let first), .equal(let second)): first == second ? self : nil
        case (.equal(let constant), .unequal(let others)), (.unequal(let others), .equal(let constant)):
            others.contains(constant) ? nil : .equal(constant)
        case (.unequal(let first), .unequal(let second)): .unequal(first.union(second))
        default: nil
        }
    }
}

/// Facts by what is tested.
typealias Facts = [String: Fact]

extension Facts {
    /// More are not kept: a function with as many conditions has more ways than are followed.
    private static var maximumCount: Int { 32 }

    /// Nil if they contradict each other.
    func merged(with other: Facts) -> Facts? {
        if other.isEmpty { return self }
        var result = self
        for (key, fact) in other {
            guard let known = result[key] else {
                if result.count < Facts.maximumCount { result[key] = fact }
                continue
            }
            guard let both = known.merged(with: fact) else { return nil }
            result[key] = both
        }
        return result
    }
}

/// A condition where it is tested: what is known in the two ways.
struct Test {
    let key: String
    let first: Fact
    let second: Fact

    func facts(_ isFirst: Bool) -> Facts { [key: isFirst ? first : second] }
}

extension Follower {
    func test(_ condition: Condition) -> Test {
        // A name stands for another value once it is assigned.
        let versions = condition.names.map { name in
            scopes.last { $0.variables[name] != nil }?.variables[name]?.version ?? 0
        }
        let key = "\(condition.subject) \(versions)"
        let (then, otherwise): (Fact, Fact) =
            condition.constant.map { (.equal($0), .unequal([$0])) } ?? (.holds(true), .holds(false))
        return condition.isNegated
            ? Test(key: key, first: otherwise, second: then) : Test(key: key, first: then, second: otherwise)
    }

    /// Follows something while facts hold.
    mutating func assuming<Result>(_ facts: Facts, _ body: (inout Follower) -> Result) -> Result {
        let outer = assumed
        assumed = outer.merged(with: facts) ?? outer.merging(facts) { $1 }
        let result = body(&self)
        assumed = outer
        return result
    }
}
