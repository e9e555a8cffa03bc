// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// How many times as long `body` takes for `many` as for `few`: the least of five comparisons, each of times beside each other,
/// so that a slow phase of the machine spoils some of them only. Other threads and processes do not count.
package func growth(from few: Int, to many: Int, _ body: (Int) -> Void) -> Double {
    let ratios = (0..<5).map { _ in
        // The lesser of two, so that a delay of one hides no growth.
        let short = min(seconds { body(few) }, seconds { body(few) })
        let long = seconds { body(many) }
        return long / short
    }
    return ratios.min()!
}

private func seconds(_ body: () -> Void) -> Double {
    let start = threadTime()
    body()
    return threadTime() - start
}

private func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
