package enum ConfigurationReader { package static func read(_ s: [UInt8]) -> (configuration: IndexConfiguration, findings: [Int]) { fatalError() } }
package enum ConfigurationWriter { package static func write(_ s: IndexConfiguration) -> [UInt8] { fatalError() } }
