import Algorithms
import HTTPTypes
import Hummingbird

extension Router {
  /// Answers requests whose method a path does not have with status 405 and the methods that it has. Call after all
  /// routes were added.
  func refuseOtherMethods() {
    let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
    for routes in routes.grouped(by: \.path.description).values {
      var allowed = Set(routes.map(\.method))
      // The router adds it.
      if allowed.contains(.get) { allowed.insert(.head) }
      let list = allowed.map(\.rawValue).sorted().joined(separator: ", ")
      for method in methods where !allowed.contains(method) {
        on(routes[0].path, method: method) { _, _ in
          var response =
            method == .head
            ? Response(status: .methodNotAllowed)
            : Response.error(
              "this path does not have the method '\(method.rawValue)'", remedy: "use \(list)",
              status: .methodNotAllowed)
          response.headers[.allow] = list
          return response
        }
      }
    }
  }
}
