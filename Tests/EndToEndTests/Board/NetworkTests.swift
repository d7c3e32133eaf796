import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("A feed with an address: invalid options and hidden tokens", .serialized)
  struct NetworkTests {
    @Test(
      "Wrong usage ends with status 2 and a message with the value and the remedy",
      arguments: [
        (["--feed", "http://x"], "'http://x'", "ws://"), (["--feed", "wss://"], "'wss://'", "wss://HOST/v2"),
        (["list", "--feed", "wss://x:0"], "'0'", "65535"), (["--feed", "wss://u:hush@x"], "•••@x", "token"),
        (["list", "--realm", "r"], "--realm", "--feed"), (["--feed", "-", "--ca-file", "x"], "--ca-file", "--feed"),
        (["--feed", "wss://x", "--feed-language", "a/b"], "'a/b'", "letters"),
        (["list", "--feed-language", "fr"], "--feed-language", "--feed"),
        (["--language", "tlh"], "'tlh'", "en, fr, zh-Hant"), (["inspect", "x", "--language", ""], "''", "zh-Hant"),
        (["--feed", "wss://x", "--channel", "nope"], "'nope'", "live, football"),
        (["--feed", "wss://x", "--config", "/nonexistent"], "'/nonexistent'", "check the path"),
        (["--feed", "wss://x", "--token", "hush", "--token-file", "y"], "--token-file", "choose one"),
      ])
    func usage(arguments: [String], value: String, remedy: String) throws {
      let result = try Headless.run(arguments)
      #expect(result.status == .exit(2))
      #expect(result.error.contains(value) && result.error.contains(remedy), "\(result.error)")
      #expect(!result.error.contains("hush"))
    }

    @Test(
      "An invalid configuration ends with status 2 and a message with the file, the line and the remedy",
      arguments: [
        ("[[channel]\n", "line 1", "TOML"), ("\n[[channel]]\nkind = \"live\"\n", "line 2", "title"),
        ("[[channel]]\ntitle = \"A\"\n", "line 1", "kind"), ("chanel = 1\n", "'chanel'", "use channel"),
        ("[[channel]]\ntitle=\"A\"\nkind=\"live\"\n\n[[channel]]\ntitle=\"B\"\nkind=\"x\"\n", "line 7", "popular"),
        ("[[channel]]\ntitle=\"A\"\nkind=\"live\"\nmatches=0\n", "line 4", "1 to 20000"),
        ("[[channel]]\ntitle=\"A\"\ntopic=\"x\"\n", "'x'", "/sports/{op}"),
        ("[[channel]]\ntitle=\"A\"\ntopic=\"/x\"\nsport=\"3\"\n", "sport", "remove one"),
        ("standard_channels = 1\n", "standard_channels", "true"), ("standard_channels = false\n", "no channel", "add"),
        ("channel = 3\n", "channel", "[[channel]]"),
      ])
    func configuration(text: String, place: String, remedy: String) throws {
      let file = TemporaryFile(text)
      let result = try Headless.run(["list", "--feed", "wss://x", "--config", file.path])
      #expect(result.status == .exit(2))
      #expect(result.error.contains("'\(file.path)'"), "\(result.error)")
      #expect(result.error.contains(place) && result.error.contains(remedy), "\(result.error)")
    }

    @Test("Channels of the configuration change and extend the standard channels, or replace them")
    func channels() throws {
      let mine = TemporaryFile(
        "[[channel]]\ntitle=\"Mine\"\nkind=\"next\"\nsport=3\n[[channel]]\ntitle=\"live\"\ntopic=\"/{op}/{lang}\"\n")
      let usual = try Headless.run(["list", "--feed", "wss://x", "--config", mine.path, "--channel", "?"])
      #expect(
        usual.error.contains("choose from live, football, tennis, basketball, next, popular, mine"), "\(usual.error)")
      let alone = TemporaryFile("standard_channels = false\n\(mine.text)")
      let own = try Headless.run(["list", "--feed", "wss://x", "--config", alone.path, "--channel", "?"])
      #expect(own.error.contains("choose from mine, live"), "\(own.error)")
    }

    @Test("An unusable token ends with status 1 and is never shown")
    func tokens() throws {
      for (content, word) in [("", "is empty"), ("\n", "is empty"), ("hush hush", "spaces")] {
        let file = TemporaryFile(content)
        let result = try Headless.run(["list", "--feed", "wss://localhost:1", "--token-file", file.path])
        #expect(result.status == .exit(1))
        #expect(result.error.contains(file.path) && result.error.contains(word), "\(result.error)")
        #expect(!result.error.contains("hush"))
      }
      let missing = try Headless.run(["list", "--feed", "wss://localhost:1", "--token-file", "/nonexistent"])
      #expect(missing.status == .exit(1) && missing.error.contains("'/nonexistent'"))
      let plain = try Headless.run(["list", "--feed", "ws://feed.test", "--token", "hush"])
      #expect(plain.status == .exit(1) && plain.error.contains("use wss://") && !plain.error.contains("hush"))
    }

    @Test("A token file that other users can read causes a warning")
    func openTokenFile() throws {
      let file = TemporaryFile("hush\n")
      fchmod(file.descriptor, 0o644)
      let result = try Headless.run(["list", "--feed", "ws://feed.test", "--token-file", file.path])
      #expect(
        result.error.contains("Warning: the token file '\(file.path)' is readable by other users: run chmod 600"),
        "\(result.error)")
    }

    #if os(Linux)
      @Test(
        "A token on the command line is removed from the process list",
        arguments: [["--token", "hush"], ["--token=hush"]])
      func processList(token: [String]) throws {
        // Nothing listens at the address: the program starts and then waits for the feed.
        let (input, output, error) = (openPipe(), openPipe(), openPipe())
        defer { [input.read, input.write, output.read, error.read].forEach { close($0) } }
        let process = try ProgramProcess(
          [Program.path, "changes", "--feed", "ws://127.0.0.1:1"] + token,
          files: [input.read, output.write, error.write], environment: Program.environment(with: [:]))
        [output.write, error.write].forEach { close($0) }
        var byte: UInt8 = 0
        // The program reports that it waits for the feed.
        let isReported = waitUntilReadable(error.read, within: Program.timeout) && read(error.read, &byte, 1) == 1
        #expect(isReported)
        let list = try #require(process.procFile("cmdline"))
        #expect(list.contains("--token") && !list.contains("hush"), "\(list)")
        withExtendedLifetime(process) {}
      }
    #endif
  }
}
