// SPDX-License-Identifier: Apache-2.0

/// Tells the share of a known amount of work that is done, a hundred times at most.
struct WorkProgress {
    private let total: Int
    private let tell: ((Double) -> Void)?
    private var done = 0
    private var next: Int

    init(total: Int, _ tell: ((Double) -> Void)?) {
        self.total = max(total, 1)
        self.tell = tell
        next = tell == nil ? .max : (self.total + 99) / 100
    }

    mutating func step() {
        done += 1
        if done >= next { tellNow() }
    }

    private mutating func tellNow() {
        // The amount was counted before; others may have added to it since.
        tell?(min(Double(done) / Double(total), 1))
        let step = (total + 99) / 100
        next = done < total ? min(done + step, total) : done + step
    }
}
