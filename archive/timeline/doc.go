// Package timeline has the captures of one URI-R and its versions.
//
// [Timelines] reads them through a view of the index. A [Timeline] has all captures of a URI-R; an [Original] reads no more of them than a
// question needs, which matters from some hundred captures on. The versions of very long timelines are cached in the index: begin in
// versions.go to see how they are read, in revalidate.go to see how they come about and when they are stale.
//
// It opens no record, and knows nothing of HTTP.
package timeline
