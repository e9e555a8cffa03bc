// SPDX-License-Identifier: Apache-2.0

internal import JSONText

// The source of rules as a page that a browser shows.
extension RuleCoverage {
    /// The source as a page, each expression in the colour of what it came to.
    package func page(name: String) -> String {
        var marks: [(offset: Int, isEnd: Bool, length: Int, text: String)] = []
        for node in nodes {
            let range = rules.range(node).bytes
            guard !range.isEmpty else { continue }
            let (style, title) = describe(node)
            marks.append(
                (
                    range.lowerBound, false, range.count,
                    "<span class=\"\(style)\" title=\"\(RuleCoverage.escaped(title))\">"
                ))
            marks.append((range.upperBound, true, range.count, "</span>"))
        }
        // At one place the inner ones end first, then the outer ones begin first.
        marks.sort { lhs, rhs in
            if lhs.offset != rhs.offset { return lhs.offset < rhs.offset }
            if lhs.isEnd != rhs.isEnd { return lhs.isEnd }
            return lhs.isEnd ? lhs.length < rhs.length : lhs.length > rhs.length
        }
        var body = ""
        var offset = 0
        for mark in marks {
            body += RuleCoverage.escaped(rules.source.text(offset, mark.offset)) + mark.text
            offset = mark.offset
        }
        body += RuleCoverage.escaped(rules.source.text(offset, rules.source.bytes.count))
        let counts = summary
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Coverage of \(RuleCoverage.escaped(name))</title><style>
            body { font: 14px/1.5 sans-serif; margin: 2em; } pre { font: 13px/1.6 monospace; }
            .both { background: #d8f5d8; } .true { background: #fff2b8; } .false { background: #ffe0b8; }
            .failed { background: #f8c8c8; } .value { background: #e4ecf8; } .never { background: #d0d0d0; }
            span:hover { outline: 1px solid #555; }
            </style></head><body><h1>\(RuleCoverage.escaped(name))</h1>
            <p>\(counts.reached) of \(counts.expressions) expressions evaluated. <span class="both">true and false</span>
            <span class="true">only true</span> <span class="false">only false</span> <span class="failed">only errors</span>
            <span class="value">other values</span> <span class="never">never evaluated</span></p>
            <pre>\(body)</pre></body></html>

            """
    }

    private func describe(_ node: Program.NodeID) -> (style: String, title: String) {
        guard let record = records[node] else { return ("never", "never evaluated") }
        let values = record.values.prefix(8).map { "\($0.count) × \(json($0.value).text())" }
        return (record.style, values.joined(separator: "\n"))
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}

extension RuleCoverage.Record {
    /// The class of the page's style.
    fileprivate var style: String {
        let hasValue = values.contains { if case .value = $0.value { true } else { false } }
        return switch (hasBeen(true), hasBeen(false)) {
        case (true, true): "both"
        case (true, false): "true"
        case (false, true): "false"
        case (false, false): hasValue ? "value" : "failed"
        }
    }
}
