// Package notify tells people and programs what changed in an archive: by signed webhook, by mail, or through a WebSub hub.
//
// It is a reader of the archive's own feeds (/{coll}/feed) like any other, asks nothing else of the archive, and so tells nothing that
// access rules hide. What is to be told waits in a queue on a small store, which survives restarts. Begin with [Read] for the file that
// says who is told what, and [Notifier].
package notify
