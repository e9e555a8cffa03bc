// SPDX-License-Identifier: Apache-2.0

#if Logging
    public import Hearth
    public import Logging

    extension FirestoreSettings {
        /// Sends what Hearth logs to swift-log: errors that no caller hears of at the level `error`, the rest at `debug`.
        ///
        /// ```swift
        /// settings.log(to: Logger(label: "database"))
        /// ```
        ///
        /// It replaces ``Hearth/FirestoreSettings/logHandler``.
        public func log(to logger: Logger) {
            logHandler = { level, message in
                switch level {
                case .debug: logger.debug("\(message)")
                case .error: logger.error("\(message)")
                }
            }
        }
    }
#endif
