import Foundation

/// A program to run, as its name and arguments.
struct Program {
  let arguments: [String]

  enum Failure: Error, CustomStringConvertible {
    case failed(String, Int32)
    case noReport(String)

    var description: String {
      switch self {
      case .failed(let command, let code): "'\(command)' ended with \(code): run it by hand to see why"
      case .noReport(let command): "'\(command)' printed no report: give a program that prints one JSON object"
      }
    }
  }

  /// The path of this program.
  static var own: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

  /// Runs the program to its end and returns its standard output.
  func output() throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure.failed(command, process.terminationStatus) }
    return String(decoding: output, as: UTF8.self)
  }

  /// Runs the program on a feed's file and returns its report.
  func report(on path: String) throws -> IngestReport {
    let text = try Program(arguments: arguments + [path]).output()
    guard let report = try? JSONDecoder().decode(IngestReport.self, from: Data(text.utf8)) else {
      throw Failure.noReport(command)
    }
    return report
  }

  private var command: String { arguments.joined(separator: " ") }
}

/// The other programs to compare with.
enum References {
  /// Returns the programs of the option or else of the environment: commands separated by commas.
  static func commands(_ option: String?) -> [Program] {
    let text = option ?? ProcessInfo.processInfo.environment["REFERENCES"] ?? ""
    return text.split(separator: ",").map { Program(arguments: $0.split(separator: " ").map(String.init)) }
      .filter { !$0.arguments.isEmpty }
  }
}
