import ArgumentParser

@main
struct ToteboardServer: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "toteboard-server", abstract: "The feed as a server.")
}
