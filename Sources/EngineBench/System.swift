// SPDX-License-Identifier: Apache-2.0

// The benchmarks' calls to the system are in this file. Linux with glibc is supported.
internal import Glibc

let processID = getpid()

func endProcess(_ code: Int32) -> Never { exit(code) }

func environmentNumber(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
}

/// The processor time of the process so far, of all its threads.
func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

func makeFolder(_ path: String) { mkdir(path, 0o700) }

/// Removes a file or an empty folder.
func removeFile(_ path: String) { remove(path) }

/// Removes a database's files.
func removeDatabase(_ path: String) {
    for suffix in ["", "-lock"] { removeFile(path + suffix) }
}

/// Nil if the file cannot be opened.
func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = fread(buffer.baseAddress, 1, count, file)
    }
}

/// Bytes of resident memory that belong to no file.
func anonymousMemory() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("RssAnon:") else { continue }
        return (Int(text.split(whereSeparator: \.isWhitespace)[1]) ?? 0) << 10
    }
    return 0
}
