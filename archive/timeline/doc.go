// Package timeline reads the captures of one URI-R and its versions.
//
// [Timelines] reads them through a view of the index. A [Timeline] has all captures of a URI-R; an [Original] reads only those that a
// question needs, which matters from some hundred captures on. The versions of very long timelines are cached in the index: see versions.go
// for how they are read, revalidate.go for how they are computed and when they are stale.
//
// The package opens no records, and knows nothing of HTTP.
package timeline
