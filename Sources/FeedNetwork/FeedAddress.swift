/// Where a feed is.
package struct FeedAddress: Hashable, Sendable {}
