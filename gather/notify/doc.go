// Package notify tells people and programs what changed in an archive: by signed webhook, by mail, or through a WebSub hub.
//
// It reads the archive's feeds (/{coll}/feed) like any other client, so it never reports anything that access rules hide.
// Deliveries wait in a queue on a small store, which survives restarts. Begin with [Read], for the file of settings, and
// [Notifier].
package notify
