// SPDX-License-Identifier: Apache-2.0

extension Predictor {
    /// What the predictor has come to without looking at callers: a source mostly says the same things again. Numbers of
    /// stacks stay the same as long as it.
    struct Memory {
        struct Point {
            let places: [Place]
            let outlook: Outlook
            /// By token; -1 where nothing fits.
            var next: [TokenKind: Int] = [:]
        }

        enum Outlook {
            case open
            case alternative(Int)
            /// More tokens cannot help without the callers.
            case ambiguous
        }

        var points: [Point] = []
        var numbers: [[UInt64]: Int] = [:]
        var beginnings: [State: Int] = [:]
        /// How many places it holds.
        var size = 0

        mutating func add(_ places: [Place], _ outlook: Outlook) -> Int {
            let key = places.map(\.fullKey)
            if let number = numbers[key] { return number }
            points.append(Point(places: places, outlook: outlook))
            size += places.count + 1
            numbers[key] = points.count - 1
            return points.count - 1
        }
    }
}
