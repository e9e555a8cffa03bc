// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// How long a call took, how much memory it needed, and how right its progress was.
struct Course {
    let seconds: Double
    /// The most that was in memory of this process and no part of a file, in kilobytes.
    let peakMemory: Int
    /// What the call reported, and when, in seconds from its start.
    let reports: [(fraction: Double, seconds: Double)]

    /// The furthest that a progress bar was from the elapsed share of the whole time, at any moment: a bar shows a fraction until the
    /// next one comes. Nil for a call without progress.
    var progressError: Double? {
        guard !reports.isEmpty, seconds > 0 else { return nil }
        var worst = 0.0
        var shown = 0.0
        for report in reports + [(fraction: 1, seconds: seconds)] {
            let elapsed = report.seconds / seconds
            worst = max(worst, abs(elapsed - shown), abs(elapsed - report.fraction))
            shown = report.fraction
        }
        return worst
    }
}

/// Watches a call: a thread samples its memory a hundred times a second.
final class Watch: Sendable {
    private let peak = Atomic<Int>(0)
    private let isDone = Atomic<Bool>(false)
    private let reports = Mutex<[(fraction: Double, seconds: Double)]>([])
    private let start = ContinuousClock.now

    /// - Parameter body: gets what a call with progress is to be given.
    static func course(_ body: (_ progress: @escaping @Sendable (Double) -> Void) throws -> Void) throws -> Course {
        let watch = Watch()
        let sampler = DispatchGroup()
        sampler.enter()
        Thread.detachNewThread {
            while !watch.isDone.load(ordering: .relaxed) {
                watch.peak.max(Machine.anonymousMemory, ordering: .relaxed)
                Thread.sleep(forTimeInterval: 0.01)
            }
            sampler.leave()
        }
        defer {
            watch.isDone.store(true, ordering: .relaxed)
            sampler.wait()
        }
        try body { fraction in
            let seconds = watch.elapsed
            watch.reports.withLock { $0.append((fraction, seconds)) }
        }
        let seconds = watch.elapsed
        watch.peak.max(Machine.anonymousMemory, ordering: .relaxed)
        return Course(
            seconds: seconds, peakMemory: watch.peak.load(ordering: .relaxed), reports: watch.reports.withLock { $0 })
    }

    private var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }
}

extension Report {
    /// Three figures: time, memory, and how right the progress was.
    func add(_ name: String, size: Int, _ course: Course) {
        add(Figure(name: name, size: size, value: course.seconds, unit: "s", atMost: nil))
        add(
            Figure(
                name: "\(name): memory", size: size, value: Double(course.peakMemory) / 1_024,
                unit: "MB at most, without the mapped file", atMost: 1_000))
        guard let error = course.progressError else { return }
        add(
            Figure(
                name: "\(name): progress", size: size, value: error,
                unit: "of the whole is the furthest that it was off",
                atMost: 0.1))
    }
}
