// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The same shapes over real data, whose values are anything but evenly spread. Places are left out: SQLite has no type for them.
enum CitySuite {
    private static let columns: [(name: String, type: Dataset.ColumnType)] = [
        ("admin1code", .text), ("alternatenames", .text), ("countrycode", .text), ("name", .text),
        ("population", .integer), ("region", .text), ("timezone", .text),
    ]

    static func run(_ bench: Bench) throws {
        let file = ".sample-data/cities500.ndjson"
        guard bench.rows == nil || bench.wants("cities", of: "cities") else { return }
        guard FileManager.default.fileExists(atPath: file) else {
            print("\ncities: left out, for \(file) is missing (Scripts/fetch-cities.py 500 makes it)")
            return
        }
        let cities = try read(file, atMost: bench.size ?? .max)
        try ReadSuite.run(bench, of: "cities", "Real cities", dataset(cities), reads(cities))
    }

    private static func dataset(_ cities: [BenchmarkDocument]) -> Dataset {
        Dataset(
            name: "cities", collection: "cities", count: cities.count, columns: columns,
            indexed: ["admin1code", "countrycode", "name", "population", "region", "timezone"],
            arrays: ["alternatenames"], composites: [[("countrycode", false), ("population", true)]],
            document: { cities[$0] })
    }

    private static func reads(_ cities: [BenchmarkDocument]) -> [(name: String, operation: Operation)] {
        var random = SplitMix(44)
        func values(_ fields: [String], _ count: Int = 2_048) -> [[Plain]] {
            (0..<count).map { _ in
                let city = cities[random.next(below: cities.count)]
                return fields.map { name in city.fields.first { $0.name == name }?.value ?? .null }
            }
        }
        let names = values(["alternatenames"], 512).compactMap { row -> [Plain]? in
            if case .array(let names) = row[0], let first = names.first { [first] } else { nil }
        }
        return [
            (
                "cities: point read",
                Operation(
                    kind: .point, uses: "population",
                    parameters: (0..<4_096).map { _ in [.string(cities[random.next(below: cities.count)].id)] })
            ),
            (
                "cities: largest ten of a country",
                Operation(
                    filters: [("countrycode", .equal)], order: [("population", true)], limit: 10, uses: "population",
                    parameters: values(["countrycode"]))
            ),
            (
                "cities: population range, limit 20",
                Operation(
                    filters: [("population", .atLeast)], order: [("population", false)], limit: 20, uses: "population",
                    parameters: values(["population"]))
            ),
            (
                "cities: country and zone, limit 20",
                Operation(
                    filters: [("countrycode", .equal), ("timezone", .equal)], limit: 20, uses: "population",
                    parameters: values(["countrycode", "timezone"]))
            ),
            (
                "cities: cities called so",
                Operation(kind: .count, filters: [("alternatenames", .contains)], parameters: names)
            ),
        ]
    }

    private static func read(_ file: String, atMost limit: Int) throws -> [BenchmarkDocument] {
        let data = try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
        var cities: [BenchmarkDocument] = []
        for line in data.split(separator: UInt8(ascii: "\n")) {
            guard cities.count < limit else { break }
            guard let object = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                let name = object["name"] as? String, let fields = object["fields"] as? [String: Any]
            else { throw BenchmarkError("\(file) holds a line that is no document") }
            cities.append(
                BenchmarkDocument(
                    id: String(name.split(separator: "/").last ?? ""),
                    fields: columns.compactMap { column in plain(fields[column.name]).map { (column.name, $0) } }))
        }
        return cities
    }

    private static func plain(_ node: Any?) -> Plain? {
        guard let (kind, content) = (node as? [String: Any])?.first else { return nil }
        switch kind {
        case "stringValue": return (content as? String).map { .string($0) }
        case "integerValue": return (content as? String).flatMap { Int64($0) }.map { .integer($0) }
        case "arrayValue":
            let values = (content as? [String: Any])?["values"] as? [Any] ?? []
            return .array(values.compactMap(plain))
        default: return nil
        }
    }
}
