// SPDX-License-Identifier: Apache-2.0

/// Reports the completed share of a known amount of work, at most a hundred times.
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
        // Others may have added work since it was counted.
        tell?(min(Double(done) / Double(total), 1))
        let step = (total + 99) / 100
        next = done < total ? min(done + step, total) : done + step
    }
}
