// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Glibc

    /// The signals that end the server.
    package enum Termination {
        /// Holds SIGINT and SIGTERM back for ``wait(lookingEvery:at:)``. Call it before other threads exist.
        package static func expect() {
            var signals = set
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }

        /// Returns when one of the signals comes.
        ///
        /// - Parameter look: called again and again meanwhile, at this interval.
        package static func wait(lookingEvery milliseconds: Int, at look: () -> Void) {
            var signals = set
            while true {
                var time = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
                if sigtimedwait(&signals, nil, &time) > 0 { return }
                look()
            }
        }

        private static var set: sigset_t {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            sigaddset(&signals, SIGTERM)
            return signals
        }

        /// Lets the process open as many files as the system allows: each database has two.
        package static func allowManyFiles() {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
    }
#endif
