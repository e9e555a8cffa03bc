// SPDX-License-Identifier: Apache-2.0
// Measures internals of the engine: `swift run -c release EngineBench NAME`.

let benchmarks: [(name: String, summary: String, run: () throws -> Void)] = [
    ("scan", "the LMDB wrapper beside the same loops in C", runScanBenchmark),
    ("import", "loading 234,908 real documents", runImportBenchmark),
    ("bulk", "loading DOCUMENTS=1000000 beside C that sorts and appends", runBulkBenchmark),
    ("build", "an index over DOCUMENTS=1000000, alone and beside a writer", runBuildBenchmark),
    ("memory", "the memory of loading DOCUMENTS=3000000", runMemoryBenchmark),
    ("instructions", "operations of the library, for counting their instructions", runInstructionBenchmark),
    ("plan", "planning under 200 indexes", runPlanBenchmark),
    ("executions", "queries by production's way and by the fastest", runExecutionBenchmark),
    ("queries", "queries of the sample data", runQueryBenchmark),
    ("history", "what the history of documents costs", runHistoryBenchmark),
    ("replica", "a client's resync of DOCUMENTS=100000, its local writes and its start", runReplicaBenchmark),
    ("listeners", "commits beside 10,000 listeners that they do not concern", runListenerBenchmark),
    ("debug", "writing and reading DOCUMENTS=20000 tasks, also in a debug build", runDebugBenchmark),
]

guard CommandLine.arguments.count == 2,
    let benchmark = benchmarks.first(where: { $0.name == CommandLine.arguments[1] })
else {
    print("Usage: EngineBench NAME")
    for benchmark in benchmarks { print("  \(benchmark.name): \(benchmark.summary)") }
    endProcess(2)
}
try benchmark.run()
