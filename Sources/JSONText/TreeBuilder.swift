// SPDX-License-Identifier: Apache-2.0

/// Builds the tree with an explicit stack of open containers, so that nesting costs heap and not stack.
struct TreeBuilder: ~Escapable {
    private struct Container {
        let offset: Int
        let isObject: Bool
        var members: [JSONMember] = []
        var elements: [JSONNode] = []
        /// The key of the next value.
        var key = ""
        var keyOffset = 0
    }

    private var scanner: JSONScanner
    private var open: [Container] = []
    private let toleratesTrailingCommas: Bool
    private(set) var trailingCommas: [Int] = []

    @_lifetime(copy scanner)
    init(_ scanner: consuming JSONScanner, toleratesTrailingCommas: Bool = false) {
        self.scanner = scanner
        self.toleratesTrailingCommas = toleratesTrailingCommas
    }

    @_lifetime(self: copy self)
    mutating func parse() throws(JSONSyntaxError) -> JSONNode {
        try scanner.skipByteOrderMark()
        try scanner.skipInsignificant()
        guard scanner.current != nil else {
            throw scanner.failure("the input is empty: a JSON value is needed", at: 0)
        }
        while true {
            guard var node = try readValueOrOpen() else { continue }
            while !open.isEmpty {
                attach(node)
                guard try closesAfterValue() else { break }
                node = close()
            }
            if open.isEmpty { return try finish(node) }
        }
    }

    /// Reads a scalar or an empty container; nil after opening a container that is not empty.
    @_lifetime(self: copy self)
    private mutating func readValueOrOpen() throws(JSONSyntaxError) -> JSONNode? {
        guard let byte = scanner.current, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
            return try scanner.readScalar()
        }
        guard open.count < JSONParser.maximumDepth else {
            throw scanner.failure(
                "nested too deeply: at most \(JSONParser.maximumDepth) objects and arrays may stand inside one another")
        }
        open.append(Container(offset: scanner.position, isObject: byte == UInt8(ascii: "{")))
        scanner.advance()
        try scanner.skipInsignificant()
        if scanner.current == closingByte {
            scanner.advance()
            return close()
        }
        try readKeyIfInObject()
        return nil
    }

    private var closingByte: UInt8 { open[open.count - 1].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    @_lifetime(self: copy self)
    private mutating func readKeyIfInObject() throws(JSONSyntaxError) {
        let top = open.count - 1
        guard open[top].isObject else { return }
        open[top].keyOffset = scanner.position
        open[top].key = try scanner.readKey()
        try scanner.skipInsignificant()
        guard scanner.current == UInt8(ascii: ":") else {
            throw scanner.unexpected("a colon is needed between a key and its value")
        }
        scanner.advance()
        try scanner.skipInsignificant()
    }

    @_lifetime(self: copy self)
    private mutating func attach(_ node: JSONNode) {
        let top = open.count - 1
        if open[top].isObject {
            if open[top].members.count == 1 { open[top].members.reserveCapacity(8) }
            open[top].members.append(JSONMember(key: open[top].key, keyOffset: open[top].keyOffset, node: node))
        } else {
            open[top].elements.append(node)
        }
    }

    /// Whether the container ends here. If not, a value follows.
    @_lifetime(self: copy self)
    private mutating func closesAfterValue() throws(JSONSyntaxError) -> Bool {
        try scanner.skipInsignificant()
        if scanner.current == closingByte {
            scanner.advance()
            return true
        }
        guard scanner.current == UInt8(ascii: ",") else { throw missingSeparator() }
        let comma = scanner.position
        scanner.advance()
        try scanner.skipInsignificant()
        if scanner.current == closingByte {
            guard toleratesTrailingCommas else { throw trailingComma(at: comma) }
            trailingCommas.append(comma)
            scanner.advance()
            return true
        }
        try readKeyIfInObject()
        return false
    }

    @_lifetime(self: copy self)
    private mutating func close() -> JSONNode {
        let container = open.removeLast()
        return JSONNode(
            container.isObject ? .object(container.members) : .array(container.elements),
            range: container.offset..<scanner.position)
    }

    @_lifetime(self: copy self)
    private mutating func finish(_ node: JSONNode) throws(JSONSyntaxError) -> JSONNode {
        try scanner.skipInsignificant()
        if scanner.current != nil {
            throw scanner.unexpected("the text must end after the first value")
        }
        return node
    }

    private func missingSeparator() -> JSONSyntaxError {
        let container = open[open.count - 1]
        return scanner.unexpected(
            container.isObject
                ? "a comma or the closing } of an object is needed" : "a comma or the closing ] of an array is needed")
    }

    private func trailingComma(at offset: Int) -> JSONSyntaxError {
        scanner.failure(
            "trailing comma: nothing follows it before the closing \(open[open.count - 1].isObject ? "}" : "]"), remove it",
            at: offset)
    }
}
