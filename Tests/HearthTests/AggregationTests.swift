// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct AggregationTests {
    @Test func countSumAverage() throws {
        let sample = try Sample()
        let cities = try Cities.load(into: sample.database)
        let query = cities.whereField("state", isEqualTo: "CA")
        #expect(try query.count.sync.getAggregation().count == 2)
        #expect(try cities.limit(to: 3).count.sync.getAggregation().count == 3)
        let result = try cities.aggregate([.count(), .sum("population"), .average("population")]).sync.getAggregation()
        #expect(result.count == 5)
        #expect(result.get(.sum("population")) as? Int == 35_940_000)
        #expect(result.get(.average("population")) as? Double == 7_188_000)
        let names = try cities.aggregate([.average(FieldPath(["name"]))]).sync.getAggregation()
        #expect(names.get(.average("name")) is NSNull)
        #expect(result.get(.sum("name")) == nil)
        #expect(result.query.query === cities)
    }

    @Test func refusals() throws {
        let sample = try Sample()
        let cities = sample.database.collection("cities")
        #expect(
            text(.invalidArgument) { _ = try cities.aggregate([]).sync.getAggregation() }
                == "Aggregations can not be empty.")
        let six = cities.aggregate((0..<6).map { .sum("f\($0)") })
        #expect(
            text(.invalidArgument) { _ = try six.sync.getAggregation() }?.contains("maximum number of aggregations")
                == true)
        #expect(
            text(.invalidArgument) { _ = try cities.aggregate([.sum("a//b")]).sync.getAggregation() }
                == "Invalid field path (a//b). Paths must not contain '~', '*', '/', '[', or ']'")
    }
}
