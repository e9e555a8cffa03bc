// SPDX-License-Identifier: Apache-2.0

// FirebaseFirestore is an Objective-C module on Apple's platforms, so `import FirebaseFirestore` brings all of Foundation. Many files
// import nothing else and use `Date`, `Data` or `NSError`.
@_exported public import Foundation
