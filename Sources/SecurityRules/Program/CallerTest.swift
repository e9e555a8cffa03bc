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

/// The conditions of rules that ask only who the caller is. One reference, while a ``RuleSet`` counts several.
package struct CallerTests: Sendable {
    let program: Program

    /// Whether the rules allow a read of one document because of who the caller is. If not, the read must be decided.
    package func allow(_ auth: RuleValue, toGet path: DocumentPath) -> Bool { program.allows(auth, toGet: path) }
}

extension Program {
    /// Statements that are tried, so that their conditions stay far below the limit of expressions.
    private static let mostCallerTests = 8

    /// Whether a statement allows a read of one document that asks only who the caller is. False says nothing: other statements may
    /// allow it. It decides as ``DecisionMaker`` does, without an evaluator and without allocations.
    func allows(_ auth: RuleValue, toGet path: DocumentPath) -> Bool {
        guard case .map(let caller) = auth, case .string(let userID)? = caller["uid"] else { return false }
        var tried = 0
        for statement in statements where statement.methods.contains(MethodSet(.get)) {
            guard let fits = patterns[statement.pattern].fits(path) else { return false }
            guard fits else { continue }
            guard statement.condition != nil else { return true }
            // What comes before the statement that allows is evaluated first, and may exceed a limit.
            guard let test = statement.callerTest, tried < Program.mostCallerTests else { return false }
            tried += 1
            guard let capture = test.capture else { return true }
            if patterns[statement.pattern].text(ofCapture: capture, in: path) == userID { return true }
        }
        return false
    }
}

extension Program.PathPattern {
    /// Whether the pattern fits a document's path; nil if that takes a closer look: a glob, or an unusual beginning.
    fileprivate func fits(_ path: DocumentPath) -> Bool? {
        guard !hasGlob, known == RequestPath.prefixCount else { return nil }
        guard segments.count == known + path.collection.resource.count + 1 else { return false }
        for index in known..<segments.count {
            if case .literal(let literal) = segments[index], literal != path.segment(index - known) { return false }
        }
        return true
    }

    /// Nil for a capture of the beginning, such as the database.
    fileprivate func text(ofCapture number: Int, in path: DocumentPath) -> Text? {
        let index = captures[number] - known
        return index < 0 ? nil : path.segment(index)
    }
}

extension DocumentPath {
    fileprivate func segment(_ index: Int) -> Text {
        index < collection.resource.count ? collection.resource.segments[index] : id
    }
}
