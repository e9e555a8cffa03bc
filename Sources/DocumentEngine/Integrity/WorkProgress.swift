// SPDX-License-Identifier: Apache-2.0

/// Reports the completed share of a known amount of work, at most a hundred times.
struct WorkProgress {
    private let total: Int
    private let tell: ((Double) -> Void)?
    private var done = 0
    private var next: Int

    /// - Parameter done: work that others have reported already.
    init(total: Int, done: Int = 0, _ tell: ((Double) -> Void)?) {
        self.total = max(total, 1)
        self.tell = tell
        self.done = done
        next = tell == nil ? .max : done + (self.total + 99) / 100
    }

    mutating func step(_ work: Int = 1) {
        done += work
        if done >= next { tellNow() }
    }

    private mutating func tellNow() {
        // Others may have added work since it was counted.
        tell?(min(Double(done) / Double(total), 1))
        let step = (total + 99) / 100
        next = done < total ? min(done + step, total) : done + step
    }
}
