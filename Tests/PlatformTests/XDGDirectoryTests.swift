import Platform
import Testing

@Suite("The directories of a user's files")
struct XDGDirectoryTests {
  @Test(
    "The directory is in the variable's, else in the home directory",
    arguments: [
      (.config, "XDG_CONFIG_HOME", ".config"), (.cache, "XDG_CACHE_HOME", ".cache"),
      (.data, "XDG_DATA_HOME", ".local/share"), (.state, "XDG_STATE_HOME", ".local/state"),
    ] as [(XDGDirectory, String, String)])
  func directories(directory: XDGDirectory, variable: String, folder: String) {
    #expect(directory.path([variable: "/x", "HOME": "/h"]) == "/x/toteboard")
    #expect(directory.path([variable: "/x"]) == "/x/toteboard")
    #expect(directory.path(["HOME": "/h"]) == "/h/\(folder)/toteboard")
  }

  @Test("Relative paths are ignored; without an absolute path there is no directory")
  func relative() {
    #expect(XDGDirectory.state.path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/toteboard")
    #expect(XDGDirectory.state.path(["XDG_STATE_HOME": "", "HOME": "/h"]) == "/h/.local/state/toteboard")
    #expect(XDGDirectory.state.path(["XDG_STATE_HOME": "s", "HOME": "h"]) == nil)
    #expect(XDGDirectory.state.path([:]) == nil)
  }
}
