// SPDX-License-Identifier: Apache-2.0

// The tool's calls to the system are in this file. Linux with glibc is supported; on Darwin, import Darwin here, and
// `runAgain` needs another way to find the program.
internal import Glibc

/// The system calls of the command line. Foundation offers the same, but loading it takes longer than validating a
/// file.
enum System {
    static let standardInput: Int32 = 0
    static let standardOutput: Int32 = 1
    static let standardError: Int32 = 2

    struct Failure: Error {
        let number: Int32

        var reason: String { String(cString: strerror(number)) }
    }

    static func end(_ code: Int32) -> Never { exit(code) }

    /// The time in microseconds since 1970-01-01T00:00:00Z.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Only while there is one thread.
    static func setEnvironment(_ name: String, to value: String) { setenv(name, value, 1) }

    /// Occupies the descriptors of standard input, output and error if the caller closed them. Otherwise the next file
    /// opened would get one, and messages would overwrite a database. Reading and writing them fails as if they were
    /// closed.
    static func reserveStandardDescriptors() {
        for descriptor in [standardInput, standardOutput, standardError] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == standardInput ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether all arguments are UTF-8. Swift repairs others, which makes one name of several.
    static var argumentsAreText: Bool {
        (0..<Int(CommandLine.argc)).allSatisfy { index in
            CommandLine.unsafeArgv[index].map { String(validatingCString: $0) != nil } ?? true
        }
    }

    /// A write beyond the limit on file sizes fails then, and does not end the process.
    static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Nil if the descriptor is not a terminal or does not report a width.
    static func terminalWidth(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// A folder, a pipe or a terminal is none.
    static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Nanoseconds; 0 for a missing file.
    static func modificationTime(_ path: String) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    static func openFile(_ path: String) throws(Failure) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        return descriptor
    }

    static func openForAppending(_ path: String, mode: mode_t) throws(Failure) -> Int32 {
        try openForWriting(path, O_APPEND, mode: mode)
    }

    private static func openForWriting(_ path: String, _ flags: Int32, mode: mode_t = 0o644) throws(Failure) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, mode)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        return descriptor
    }

    /// Replaces a file with these bytes, or creates it, in one step: readers find the old or the new file, even after a
    /// crash. Writes to whatever is not a regular file, such as a pipe.
    ///
    /// - Parameter mode: of a new file.
    static func replaceFile(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o644) throws(Failure) {
        let place = destination(path)
        var status = stat()
        let exists = stat(place, &status) == 0
        // Such as links that lead to each other: they are not replaced.
        guard exists || errno == ENOENT else { throw Failure(number: errno) }
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            let descriptor = try openForWriting(place, 0)
            defer { closeFile(descriptor) }
            return try writeAll(descriptor, bytes)
        }
        let temporary = temporaryName(for: place)
        let descriptor = try openForWriting(temporary, O_EXCL, mode: exists ? 0o600 : mode)
        do throws(Failure) {
            defer { closeFile(descriptor) }
            try writeAll(descriptor, bytes)
            if exists {
                // Only root can change the owner. Otherwise the file belongs to the caller.
                _ = fchown(descriptor, status.st_uid, status.st_gid)
                try check(fchmod(descriptor, status.st_mode & 0o7777))
            }
            try synchronize(descriptor)
            try check(rename(temporary, place))
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// A name that no other process uses, nor one that was killed.
    private static func temporaryName(for place: String) -> String {
        "\(place).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// Makes and removes the file that ``replaceFile(_:_:)`` begins with.
    static func tryReplacingFile(_ path: String) throws(Failure) {
        let place = destination(path)
        guard !exists(place) || isRegularFile(place) else {
            // Opening a pipe would wait for its reader.
            if try isFolder(place) { throw Failure(number: EISDIR) }
            return
        }
        let temporary = temporaryName(for: place)
        closeFile(try openForWriting(temporary, O_EXCL, mode: 0o600))
        unlink(temporary)
    }

    static func synchronize(_ descriptor: Int32) throws(Failure) { try check(fsync(descriptor)) }

    private static func check(_ result: Int32) throws(Failure) {
        guard result == 0 else { throw Failure(number: errno) }
    }

    /// The path from the root on, without symbolic links. Of a link that leads to no file yet, the path that it names.
    static func destination(_ path: String) -> String {
        var place = path
        // As many links as the system follows.
        for _ in 0..<40 {
            if let resolved = realpath(place, nil) {
                defer { free(resolved) }
                return String(cString: resolved)
            }
            guard let target = System.target(ofLink: place) else { return place }
            place = target.hasPrefix("/") ? target : InputFile.folder(of: place) + target
        }
        return path
    }

    /// Nil for what is no symbolic link.
    private static func target(ofLink path: String) -> String? {
        let limit = Int(PATH_MAX)
        var bytes = [CChar](repeating: 0, count: limit)
        let count = readlink(path, &bytes, limit)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path, or at a symbolic link that of the file at its end.
    static func behindLink(_ path: String) -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        return destination(path)
    }

    static func closeFile(_ descriptor: Int32) { _ = close(descriptor) }

    /// If it cannot be removed, it stays.
    static func removeFile(_ path: String) { unlink(path) }

    /// Removes what follows the last end of a line.
    static func cutLastLine(_ path: String) throws(Failure) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        defer { closeFile(descriptor) }
        var (length, end) = (0, 0)
        while true {
            var piece: [UInt8] = []
            let count = try readPiece(descriptor, 1 << 20, to: &piece)
            guard count > 0 else { break }
            if let last = piece.lastIndex(of: UInt8(ascii: "\n")) { end = length + last + 1 }
            length += count
        }
        if end < length { try check(ftruncate(descriptor, off_t(end))) }
    }

    /// Nil for a file without a length, such as a pipe.
    static func length(_ descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Appends up to `count` bytes. Returns how many there were, 0 at the end.
    static func readPiece(_ descriptor: Int32, _ count: Int, to bytes: inout [UInt8]) throws(Failure) -> Int {
        var piece = [UInt8](repeating: 0, count: count)
        while true {
            let result = read(descriptor, &piece, count)
            guard result >= 0 else {
                if errno == EINTR { continue }
                throw Failure(number: errno)
            }
            bytes.append(contentsOf: piece[..<result])
            return result
        }
    }

    static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let result = write(descriptor, rest, rest.count)
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw Failure(number: errno) }
            rest = result == rest.count ? [] : Array(rest[result...])
        }
    }

    /// From here on, a fault while reading the memory map, which a damaged or truncated file can cause, or a failed
    /// assertion in LMDB ends the program with a sentence and `code` instead of a signal.
    static func expectDamage(endingWith code: DamageCode) {
        let handler: @convention(c) (Int32) -> Void =
            switch code {
            case .found: { _ in System.endDamaged(1) }
            case .couldNotRun: { _ in System.endDamaged(2) }
            }
        for number in [SIGSEGV, SIGBUS, SIGABRT] { signal(number, handler) }
    }

    enum DamageCode {
        case found, couldNotRun
    }

    private static func endDamaged(_ code: Int32) {
        let message: StaticString =
            "hearth: the database file is damaged or truncated and could not be read. Restore it from a backup.\n"
        leaveRawMode()
        _ = write(standardError, message.utf8Start, message.utf8CodeUnitCount)
        _exit(code)
    }

    /// How a child process ended.
    enum Ending {
        case exit(Int32)
        case signal(Int32, name: String)
    }

    /// Runs this program with other arguments, shares its input and output, and waits for it.
    static func runAgain(_ arguments: [String]) throws(Failure) -> Ending {
        var words = ([CommandLine.arguments[0]] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, "/proc/self/exe", nil, nil, &words, environ)
        guard code == 0 else { throw Failure(number: code) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure(number: errno) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal, name: String(cString: strsignal(signal)))
    }

    static func isBrokenPipe(_ failure: Failure) -> Bool { failure.number == EPIPE }

    // MARK: Keys

    /// The settings of the terminal before raw mode, for handlers of signals too.
    nonisolated(unsafe) private static var usualMode = termios()
    nonisolated(unsafe) private static var isRaw = false

    /// From here on, each key is read when it is pressed, and the terminal shows nothing by itself. A signal that ends the
    /// program restores the terminal first. Returns false for what is no terminal.
    static func enterRawMode() -> Bool {
        guard tcgetattr(standardInput, &usualMode) == 0 else { return false }
        var raw = usualMode
        raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
        raw.c_cflag |= tcflag_t(CS8)
        isRaw = true
        // Programs start others with the signals blocked that they wait for themselves.
        var signals = sigset_t()
        sigemptyset(&signals)
        defer { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
        for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP] {
            sigaddset(&signals, number)
            signal(number) { number in
                System.leaveRawMode()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        return tcsetattr(standardInput, TCSANOW, &raw) == 0
    }

    /// May be called by handlers of signals.
    static func leaveRawMode() {
        guard isRaw else { return }
        isRaw = false
        // Text that is pasted is not marked any more.
        let unmarked: StaticString = "\u{1B}[?2004l"
        _ = write(standardOutput, unmarked.utf8Start, unmarked.utf8CodeUnitCount)
        tcsetattr(standardInput, TCSANOW, &usualMode)
    }

    /// Stops the program as the terminal's key does, until the shell continues it.
    static func suspend() { raise(SIGTSTP) }

    /// Whether input comes within a time.
    static func hasInput(milliseconds: Int32) -> Bool {
        var place = pollfd(fd: standardInput, events: Int16(POLLIN), revents: 0)
        return poll(&place, 1, milliseconds) > 0
    }

    /// Makes a folder that only its owner may read, if there is none.
    static func makePrivateFolder(_ path: String) { mkdir(path, 0o700) }

    // MARK: Threads

    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs something on a thread that has a stack of this size, and waits for it. Where the system gives no such thread, it
    /// runs on this one, with the size that is usual.
    static func withStack<Result>(of size: Int, or usual: Int, _ body: (Int) -> Result) -> Result {
        var result: Result?
        withoutActuallyEscaping(body) { body in
            let work = Work { result = body(size) }
            var (attributes, thread) = (pthread_attr_t(), pthread_t())
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            pthread_attr_setstacksize(&attributes, size)
            let isStarted = pthread_create(
                &thread, &attributes,
                { work in
                    work.map { Unmanaged<Work>.fromOpaque($0).takeUnretainedValue().body() }
                    return nil
                }, Unmanaged.passUnretained(work).toOpaque())
            if isStarted == 0 { pthread_join(thread, nil) }
            withExtendedLifetime(work) {}
        }
        return result ?? body(usual)
    }

    // MARK: Folders

    struct Entry {
        let name: String
        let isFolder: Bool
    }

    static func isFolder(_ path: String) throws(Failure) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure(number: errno) }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    /// What a folder holds, in any order. Links to folders are left out, so that nothing is visited twice.
    static func entries(of folder: String) throws(Failure) -> [Entry] {
        guard let stream = opendir(folder) else { throw Failure(number: errno) }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR || kind == S_IFREG { entries.append(Entry(name: name, isFolder: kind == S_IFDIR)) }
        }
        return entries
    }
}
