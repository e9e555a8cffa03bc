// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// An expression as one call of its function sees it.
struct Site: Hashable, Comparable {
    let id: SyntaxTree.ExpressionID
    let frame: Int

    static func < (lhs: Site, rhs: Site) -> Bool { (lhs.id, lhs.frame) < (rhs.id, rhs.frame) }
}

/// Reads conditions through parentheses, variables and functions.
///
/// Each call of a function has a frame of its own, up to a number that no source written by people reaches; what lies
/// beyond is unknown.
final class ConditionReader {
    struct Scope {
        /// Numbers of functions, innermost last.
        var functions: [(name: String, number: Int)] = []
        /// Captures with their places in the whole path.
        var captures: [(name: String, place: Int, isGlob: Bool)] = []
    }

    struct Frame {
        let scope: Scope
        let locals: [String: Site]
        /// How many calls are around it.
        let depth: Int
    }

    let tree: SyntaxTree
    var functions: [(declaration: SyntaxTree.Function, scope: Scope)] = []
    private var frames: [Frame] = []
    private var calls: [Site: Int] = [:]
    /// What statements' conditions may give, by the statement's number and the method.
    private var possibilities: [Int: [RequestMethod: Reached]] = [:]
    /// The number of expressions in them.
    private var remembered = 0
    private static let mostRemembered = 500_000
    private static let mostFrames = 20_000
    private static let mostSites = 50_000

    init(_ tree: SyntaxTree) { self.tree = tree }

    func addFrame(_ scope: Scope, locals: [String: Site], depth: Int) -> Int {
        frames.append(Frame(scope: scope, locals: locals, depth: depth))
        return frames.count - 1
    }

    func frame(_ site: Site) -> Frame { frames[site.frame] }

    func kind(_ site: Site) -> SyntaxTree.Expression.Kind { tree[site.id].kind }
    func position(_ site: Site) -> SourcePosition { tree[site.id].position }
    func start(_ site: Site) -> SourcePosition { tree[site.id].start }

    /// Where a finding about a part of a statement is reported: not in a function, which other statements call, too.
    func place(_ site: Site, in statement: OutlinedStatement) -> SourcePosition {
        if site.frame == statement.frame { return start(site) }
        return statement.condition.map(start) ?? statement.position
    }

    func sibling(_ id: SyntaxTree.ExpressionID, of site: Site) -> Site { Site(id: id, frame: site.frame) }

    /// The place in the path of the capture that a variable is; nil if it is none.
    func capture(_ name: String, _ site: Site) -> Int? {
        let frame = frames[site.frame]
        guard frame.locals[name] == nil else { return nil }
        return frame.scope.captures.last { $0.name == name }?.place
    }

    func isGlobCapture(_ name: String, _ site: Site) -> Bool {
        frames[site.frame].scope.captures.last { $0.name == name }?.isGlob == true
    }

    /// The function of the source that a call runs.
    func function(_ name: String, _ count: Int, _ site: Site) -> Int? {
        guard let function = frames[site.frame].scope.functions.last(where: { $0.name == name }),
            functions[function.number].declaration.parameters.count == count
        else { return nil }
        return function.number
    }

    /// What an expression stands for: without parentheses, a variable as its value, a call as the function's result.
    func resolved(_ site: Site) -> Site {
        var site = site
        while let next = meaning(site) { site = next }
        return site
    }

    /// The first step to what an expression stands for; nil if it stands for itself.
    private func meaning(_ site: Site) -> Site? {
        switch kind(site) {
        case .parenthesized(let inner): sibling(inner, of: site)
        case .variable(let name): frames[site.frame].locals[name]
        case .call(let name, let arguments): result(of: name, arguments, site)
        default: nil
        }
    }

    private func result(of name: String, _ arguments: [SyntaxTree.ExpressionID], _ site: Site) -> Site? {
        guard let number = function(name, arguments.count, site) else { return nil }
        let declaration = functions[number].declaration
        if let frame = calls[site] { return Site(id: declaration.result, frame: frame) }
        let depth = frames[site.frame].depth + 1
        guard frames.count < ConditionReader.mostFrames, depth <= Checker.deepestCall + 2 else { return nil }
        var locals: [String: Site] = [:]
        for (parameter, argument) in zip(declaration.parameters, arguments) {
            locals[parameter.text] = sibling(argument, of: site)
        }
        for binding in declaration.bindings {
            let frame = addFrame(functions[number].scope, locals: locals, depth: depth)
            locals[binding.name.text] = Site(id: binding.value, frame: frame)
        }
        let frame = addFrame(functions[number].scope, locals: locals, depth: depth)
        calls[site] = frame
        return Site(id: declaration.result, frame: frame)
    }

    typealias Reached = (truths: Possibility.Truths, reader: PossibilityReader)

    /// What the condition of a statement may give in requests of one method. Several rules ask it.
    func reached(_ statement: OutlinedStatement, _ method: RequestMethod) -> Reached {
        if let known = possibilities[statement.number]?[method] { return known }
        let reached = PossibilityReader.read(statement, method, self)
        remembered += reached.reader.truths.count
        if remembered < ConditionReader.mostRemembered {
            possibilities[statement.number, default: [:]][method] = reached
        }
        return reached
    }

    func children(_ site: Site) -> [Site] { kind(site).children.map { sibling($0, of: site) } }

    /// Passes on every expression that an evaluation can reach, once for each frame, in the order of evaluation.
    func visit(_ root: Site, _ body: (Site) -> Void) {
        var seen: Set<Site> = []
        var open = [root]
        while let site = open.popLast() {
            guard seen.count < ConditionReader.mostSites, seen.insert(site).inserted else { continue }
            body(site)
            if let next = meaning(site) { open.append(next) } else { open += children(site).reversed() }
        }
    }

    func contains(_ root: Site, _ isWanted: (Site) -> Bool) -> Bool {
        var isFound = false
        visit(root) { if !isFound { isFound = isWanted($0) } }
        return isFound
    }

    // MARK: Logic

    /// The operands of nested `&&`, or of nested `||`, resolved.
    func operands(of binary: BinaryOperator, _ site: Site) -> [Site] {
        var operands: [Site] = []
        var open = [site]
        while let next = open.popLast(), operands.count < 1000 {
            let site = resolved(next)
            if case .binary(binary, let left, let right) = kind(site) {
                open += [sibling(right, of: site), sibling(left, of: site)]
            } else {
                operands.append(site)
            }
        }
        return operands
    }

    /// The ways in which a condition may hold, each a list of conditions. Nil if there are too many.
    func alternatives(_ site: Site) -> [[Site]]? {
        let most = 64
        let site = resolved(site)
        switch kind(site) {
        case .binary(.or, _, _):
            var all: [[Site]] = []
            for operand in operands(of: .or, site) {
                guard let some = alternatives(operand), all.count + some.count <= most else { return nil }
                all += some
            }
            return all
        case .binary(.and, _, _):
            var all: [[Site]] = [[]]
            for operand in operands(of: .and, site) {
                guard let some = alternatives(operand), all.count * some.count <= most else { return nil }
                all = all.flatMap { first in some.map { first + $0 } }
            }
            return all
        default: return [[site]]
        }
    }
}
