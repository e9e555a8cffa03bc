// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let denyWithoutEffect = SecurityLintRule(
        id: "deny-without-effect", severity: .warning, title: "if false denies nothing",
        explanation: """
            A request is allowed if any statement allows it; no statement takes back what another gives. Here a wider match \
            allows everybody, or everybody who is signed in, what this statement seems to deny. Narrow the wider one.
            """,
        wrong: """
            match /{document=**} {
              allow read: if request.auth != null;
            }
            match /secrets/{secret} {
              allow read: if false;
            }
            """,
        right: """
            match /articles/{article} {
              allow read: if request.auth != null;
            }
            match /secrets/{secret} {
              allow read: if false;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            let weak = rules.statements.filter {
                conditions.holdsAlways($0) || $0.condition.map(conditions.isOnlySignedIn) == true
            }.prefix(RulesOutline.mostCompared)
            for statement in rules.statements {
                guard let condition = statement.condition, conditions.isConstant(false, condition) else { continue }
                let wider = weak.first { other in
                    guard other.number != statement.number, !other.methods.isDisjoint(with: statement.methods),
                        other.covers(statement)
                    else { return false }
                    // `allow create: if true; allow write: if false;` is a way to deny the rest.
                    return other.methods.isSuperset(of: statement.methods) || !statement.covers(other)
                }
                guard let wider else { continue }
                let methods = wider.methods.intersection(statement.methods)
                report(
                    statement.position,
                    "this denies nothing: line \(wider.position.line) allows \(methods.words) of "
                        + "\(wider.pattern.shortText), and what any statement allows is allowed", nil)
            }
        })
}
