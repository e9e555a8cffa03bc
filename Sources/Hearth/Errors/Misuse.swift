// SPDX-License-Identifier: Apache-2.0

/// Stops the program because it has used the library wrongly.
///
/// `precondition` would not print the text: optimized code leaves it out, and this library is optimized in debug builds of programs too.
func misuse(_ message: String) -> Never { fatalError(message) }
