// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A condition that asks only who the caller is, in its commonest forms: `request.auth != null`, `request.auth.uid == uid` with
/// a segment of the path, and these joined by `&&`.
struct CallerTest: Sendable {
    /// The number of the capture that must be the caller's ID; nil if it suffices that somebody has signed in.
    let capture: Int?

    /// Nil for other conditions, and for longer ones.
    init?(_ condition: Program.NodeID, in program: Program.Parts, levels: Int = 3) {
        guard levels > 0 else { return nil }
        switch program.nodes[Int(condition)] {
        case .equality(let left, let right, isNegated: true):
            guard program.isAuth(left) && program.isNull(right) || program.isNull(left) && program.isAuth(right) else {
                return nil
            }
            capture = nil
        case .equality(let left, let right, isNegated: false):
            guard let place = program.capture(left, besideUserID: right) ?? program.capture(right, besideUserID: left)
            else { return nil }
            capture = place
        case .and(let left, let right):
            guard let first = CallerTest(left, in: program, levels: levels - 1),
                let second = CallerTest(right, in: program, levels: levels - 1)
            else { return nil }
            if let one = first.capture, let other = second.capture, one != other { return nil }
            capture = first.capture ?? second.capture
        default: return nil
        }
    }
}

extension Program.Parts {
    fileprivate func isAuth(_ id: Program.NodeID) -> Bool {
        if case .requestMember(.auth, _) = nodes[Int(id)] { true } else { false }
    }

    fileprivate func isNull(_ id: Program.NodeID) -> Bool {
        if case .constant(let place) = nodes[Int(id)], case .null = constants[Int(place)] { true } else { false }
    }

    fileprivate func capture(_ id: Program.NodeID, besideUserID other: Program.NodeID) -> Int? {
        guard case .capture(let place) = nodes[Int(id)], case .member(let operand, let name) = nodes[Int(other)],
            isAuth(operand), names[Int(name)] == "uid"
        else { return nil }
        return Int(place)
    }
}

/// The statements about reads of one document up to the first that takes a closer look, in their order. One object, so that a read
/// counts one reference.
package final class CallerTests: Sendable {
    private let statements: [Statement]

    /// Statements that are tried, so that their conditions stay far below the limit of expressions.
    private static let limit = 8

    init(_ program: Program) {
        var statements: [Statement] = []
        for statement in program.statements where statement.methods.contains(MethodSet(.get)) {
            guard let test = Statement(statement, program.patterns[statement.pattern]) else { break }
            statements.append(test)
        }
        self.statements = statements
    }

    /// Whether a statement allows a read of one document because of who the caller is. False says nothing: other statements may
    /// allow it. It decides as ``DecisionMaker`` does, without an evaluator and without allocations.
    package func allow(userID: Text, toGet path: DocumentPath) -> Bool {
        var tried = 0
        for index in statements.indices where statements[index].fits(path) {
            switch statements[index].demand {
            case .nothing: return true
            case .user where tried < CallerTests.limit: return true
            case .segment(let place) where tried < CallerTests.limit:
                if path.segment(place) == userID { return true }
                tried += 1
            // What comes before the statement that allows is evaluated first, and may exceed a limit.
            case .user, .segment, .decision: return false
            }
        }
        return false
    }
}

/// A statement as a read of one document sees it.
private struct Statement {
    enum Demand {
        case nothing
        /// That somebody has signed in.
        case user
        /// That a segment of the document's path is the caller's ID.
        case segment(Int)
        /// More than the caller's ID.
        case decision
    }

    /// How many segments the path must have.
    let length: Int
    let literals: [(place: Int, text: Text)]
    let demand: Demand

    /// Nil for a pattern that takes a closer look: one with a glob, or with an unusual beginning.
    init?(_ statement: Program.Statement, _ pattern: Program.PathPattern) {
        guard !pattern.hasGlob, pattern.known == RequestPath.prefixCount else { return nil }
        let own = pattern.segments[pattern.known...]
        length = own.count
        literals = zip(0..., own).compactMap { place, segment in
            if case .literal(let text) = segment { (place, text) } else { nil }
        }
        switch (statement.condition, statement.callerTest) {
        case (nil, _): demand = .nothing
        case (_, nil): demand = .decision
        case (_, let test?):
            let place = test.capture.map { pattern.captures[$0] - pattern.known }
            demand = place.map { $0 < 0 ? .decision : .segment($0) } ?? .user
        }
    }

    func fits(_ path: DocumentPath) -> Bool {
        guard path.collection.resource.count + 1 == length else { return false }
        for index in literals.indices where literals[index].text != path.segment(literals[index].place) { return false }
        return true
    }
}

extension DocumentPath {
    fileprivate func segment(_ index: Int) -> Text {
        index < collection.resource.count ? collection.resource.segments[index] : id
    }
}

extension RuleValue {
    /// The caller's ID, if this is `request.auth` with one.
    package var userID: Text? {
        if case .map(let caller) = self, case .string(let id)? = caller["uid"] { id } else { nil }
    }
}
