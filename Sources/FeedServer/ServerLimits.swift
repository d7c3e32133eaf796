/// What a client may ask of the server.
package struct ServerLimits: Hashable, Sendable {}
