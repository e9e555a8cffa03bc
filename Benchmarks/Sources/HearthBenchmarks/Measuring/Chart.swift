// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Charts as SVG: ratios of the rows at one size, and how each row's time grows with the number of documents.
enum Chart {
    static func all(_ measurements: [Measurement]) -> [(name: String, svg: String)] {
        var charts: [(name: String, svg: String)] = []
        let sizes = Set(measurements.map(\.size))
        let compared = measurements.filter { $0.best("SQLite") != nil && $0.result("Hearth") != nil }
        if let size = sizes.filter({ size in compared.contains { $0.size == size } }).sorted().first(where: {
            $0 >= 100_000
        })
            ?? compared.map(\.size).max()
        {
            charts.append(("ratios.svg", ratios(compared.filter { $0.size == size }, size)))
        }
        let names = TaskReads.all(1_000).map(\.name)
        let growing = Dictionary(grouping: measurements, by: \.name)
            .filter { names.contains($0.key) && Set($0.value.map(\.size)).count > 1 }
        if !growing.isEmpty { charts.append(("growth.svg", growth(growing))) }
        return charts
    }

    /// How many times as fast as the best SQLite form, one bar a row.
    private static func ratios(_ rows: [Measurement], _ size: Int) -> String {
        let ratios = rows.map { ($0.name, $0.ratio(of: $0.best("SQLite")!, to: $0.results[0])) }
        let scale = 360 / max(ratios.map(\.1).max() ?? 1, 2)
        var body = text(10, 20, "Times as fast as the best SQLite form, \(size) documents", size: 14)
        for (index, (name, ratio)) in ratios.enumerated() {
            let y = 40 + 24 * index
            body += text(10, y + 13, name, size: 12)
            body +=
                "<rect x='240' y='\(y)' width='\(Int(ratio * scale))' height='16' fill='\(ratio >= 1 ? "#2a7" : "#c54")'/>"
            body += text(246 + Int(ratio * scale), y + 13, short(ratio), size: 12)
        }
        let one = 240 + Int(scale)
        let height = 50 + 24 * ratios.count
        body += "<line x1='\(one)' y1='32' x2='\(one)' y2='\(height - 10)' stroke='#333' stroke-dasharray='3 3'/>"
        return svg(660, height, body)
    }

    /// One small panel a row: time over size, both logarithmic, one line an engine.
    private static func growth(_ rows: [String: [Measurement]]) -> String {
        let colours = ["Hearth": "#2a7", "raw LMDB": "#333", "SQLite JSON": "#c54", "SQLite columns": "#36c"]
        var body = text(10, 20, "Time of an operation over the number of documents (both logarithmic)", size: 14)
        for (index, engine) in colours.keys.sorted().enumerated() {
            body += "<rect x='\(10 + 130 * index)' y='30' width='12' height='12' fill='\(colours[engine]!)'/>"
            body += text(26 + 130 * index, 41, engine, size: 12)
        }
        for (index, (name, measurements)) in rows.sorted(by: { $0.key < $1.key }).enumerated() {
            let origin = (x: 20 + 230 * (index % 3), y: 70 + 170 * (index / 3))
            body += text(origin.x, origin.y, name, size: 12)
            body += panel(measurements.sorted { $0.size < $1.size }, origin, colours)
        }
        return svg(710, 80 + 170 * ((rows.count + 2) / 3), body)
    }

    private static func panel(_ rows: [Measurement], _ origin: (x: Int, y: Int), _ colours: [String: String]) -> String
    {
        let times = rows.flatMap { $0.results.map { log10($0.median) } }
        let sizes = rows.map { log10(Double($0.size)) }
        let (low, high) = (times.min()!.rounded(.down), times.max()!.rounded(.up))
        func x(_ size: Double) -> Double {
            Double(origin.x) + 200 * (size - sizes.first!) / max(sizes.last! - sizes.first!, 0.1)
        }
        func y(_ time: Double) -> Double { Double(origin.y) + 130 - 120 * (time - low) / max(high - low, 1) }
        var body = "<rect x='\(origin.x)' y='\(origin.y + 8)' width='200' height='124' fill='none' stroke='#bbb'/>"
        for (engine, colour) in colours.sorted(by: { $0.key < $1.key }) {
            let points = rows.compactMap { row in
                row.result(engine).map { String(format: "%.1f,%.1f", x(log10(Double(row.size))), y(log10($0.median))) }
            }
            body +=
                "<polyline points='\(points.joined(separator: " "))' fill='none' stroke='\(colour)' stroke-width='2'/>"
        }
        body += text(origin.x, origin.y + 146, "\(rows.first!.size)", size: 10)
        body += text(origin.x + 160, origin.y + 146, "\(rows.last!.size)", size: 10)
        body += text(origin.x + 4, origin.y + 20, duration(pow(10, high)), size: 10)
        return body + text(origin.x + 4, origin.y + 128, duration(pow(10, low)), size: 10)
    }

    private static func text(_ x: Int, _ y: Int, _ text: String, size: Int) -> String {
        let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        return "<text x='\(x)' y='\(y)' font-size='\(size)'>\(escaped)</text>"
    }

    private static func svg(_ width: Int, _ height: Int, _ body: String) -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)' font-family='sans-serif'>"
            + "<rect width='100%' height='100%' fill='white'/>\(body)</svg>\n"
    }
}
