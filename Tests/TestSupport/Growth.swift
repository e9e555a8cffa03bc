// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// How many times as long `body` takes for `many` as for `few`, by the least of three times of this thread's work: other
/// threads and processes do not count.
package func growth(from few: Int, to many: Int, _ body: (Int) -> Void) -> Double {
    func seconds(_ count: Int) -> Double {
        (0..<3).map { _ in
            let start = threadTime()
            body(count)
            return threadTime() - start
        }.min()!
    }
    return seconds(many) / seconds(few)
}

private func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
