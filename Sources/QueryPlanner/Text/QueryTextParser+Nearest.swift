// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension QueryTextParser {
    /// `("field", [1, 2, 3], {limit: 5, distanceMeasure: "COSINE"})`, or one object that also has the field and the
    /// vector, as in the libraries for Node and the web.
    mutating func nearest() throws(QueryTextError) -> FindNearest {
        let offset = current.offset
        var options = NearestOptions()
        try expect("(")
        let isOneObject = isNext("{")
        if !isOneObject {
            options.path = try path()
            try expect(",")
            options.vector = try vector()
            try expect(",")
        }
        try read(&options, isOneObject ? NearestOptions.allNames : NearestOptions.names)
        _ = accept(",")
        try expect(")")
        return try options.finished(at: offset)
    }

    private mutating func read(_ options: inout NearestOptions, _ names: [String]) throws(QueryTextError) {
        try expect("{")
        var seen: [String] = []
        _ = try list(until: "}") { parser throws(QueryTextError) in
            let (name, offset) = try parser.option()
            guard names.contains(name) else {
                throw QueryTextError(
                    "findNearest has no option '\(name)'; there are \(names.dropLast().joined(separator: ", ")) and "
                        + "\(names[names.count - 1])", at: offset)
            }
            guard !seen.contains(name) else { throw QueryTextError("'\(name)' occurs twice", at: offset) }
            seen.append(name)
            try parser.expect(":")
            try parser.read(name, &options)
        }
    }

    private mutating func option() throws(QueryTextError) -> (String, Int) {
        if case .string = current.kind { return try string("an option") }
        return try identifier("an option such as limit")
    }

    private mutating func read(_ name: String, _ options: inout NearestOptions) throws(QueryTextError) {
        switch name {
        case "vectorField": options.path = try path()
        case "queryVector": options.vector = try vector()
        case "limit": options.limit = try wholeNumber("structured_query.find_nearest.limit")
        case "distanceMeasure": options.measure = try measure()
        case "distanceThreshold":
            let offset = current.offset
            options.threshold = try numbers([try value()], at: offset)[0]
        default: options.distanceField = Text(try string("a field").text)
        }
    }

    private mutating func vector() throws(QueryTextError) -> [Double] {
        let offset = current.offset
        switch try value() {
        case .vector(let numbers): return numbers
        case .array(let elements): return try numbers(elements, at: offset)
        default: throw QueryTextError("a query vector is an array of numbers such as [1, 2, 3]", at: offset)
        }
    }

    private mutating func measure() throws(QueryTextError) -> FindNearest.Measure {
        let name = try string("\"EUCLIDEAN\", \"COSINE\" or \"DOT_PRODUCT\"")
        guard let measure = FindNearest.Measure(rawValue: name.text) else {
            throw QueryTextError(
                "a distance measure is \"EUCLIDEAN\", \"COSINE\" or \"DOT_PRODUCT\", not \"\(name.text)\"",
                at: name.offset)
        }
        return measure
    }
}

/// The arguments of `findNearest` while they are read.
private struct NearestOptions {
    static let names = ["limit", "distanceMeasure", "distanceThreshold", "distanceResultField"]
    static let allNames = ["vectorField", "queryVector"] + names

    var path: FieldPath?
    var vector: [Double]?
    var limit: Int?
    var measure: FindNearest.Measure?
    var distanceField: Text?
    var threshold: Double?

    /// - Parameter offset: where to report a missing option.
    func finished(at offset: Int) throws(QueryTextError) -> FindNearest {
        func required<Option>(_ option: Option?, _ name: String) throws(QueryTextError) -> Option {
            guard let option else { throw QueryTextError("findNearest needs the option '\(name)'", at: offset) }
            return option
        }
        return FindNearest(
            path: try required(path, "vectorField"), vector: try required(vector, "queryVector"),
            measure: try required(measure, "distanceMeasure"), limit: try required(limit, "limit"),
            distanceField: distanceField?.utf8Count == 0 ? nil : distanceField, threshold: threshold)
    }
}
