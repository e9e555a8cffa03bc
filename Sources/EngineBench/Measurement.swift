// SPDX-License-Identifier: Apache-2.0

/// Medians of interleaved runs, so that a slow moment of the machine affects both sides.
struct Comparison {
    let name: String
    let wrapped: Double
    let plain: Double

    /// Runs both sides `runs` times, alternately. Each returns a sum, which must agree.
    init(
        _ name: String, per count: Int, runs: Int = 7, wrapped: () throws -> UInt64, plain: () throws -> UInt64
    ) rethrows {
        var times: (wrapped: [Double], plain: [Double]) = ([], [])
        for _ in 0..<runs {
            let (first, firstTime) = try Self.time(wrapped)
            let (second, secondTime) = try Self.time(plain)
            precondition(first == second, "\(name): the two sides did different work")
            times.wrapped.append(firstTime / Double(count))
            times.plain.append(secondTime / Double(count))
        }
        self.name = name
        self.wrapped = times.wrapped.sorted()[runs / 2]
        self.plain = times.plain.sorted()[runs / 2]
    }

    func report() {
        func column(_ value: Double) -> String {
            let tenths = String(Int((value * 10).rounded()))
            let padded = String(repeating: "0", count: max(0, 2 - tenths.count)) + tenths
            let text = "\(padded.dropLast()).\(padded.suffix(1))"
            return String(repeating: " ", count: max(0, 10 - text.count)) + text
        }
        let hundredths = Int((wrapped / plain * 100).rounded())
        let label = name + String(repeating: " ", count: max(0, 24 - name.count))
        let ratio = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        print("\(label)\(column(wrapped)) ns  C\(column(plain)) ns  ratio \(ratio)")
    }

    private static func time(_ body: () throws -> UInt64) rethrows -> (UInt64, Double) {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try body()
        let elapsed = start.duration(to: clock.now).components
        return (result, Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9)
    }
}
