// Package backup makes repeated backups of an index in a folder or a bucket at little cost, and restores them.
//
// A backup is all entries of a snapshot, in the order of their keys. They are cut into parts at certain keys, so that most parts are the
// same as in the previous backup; a part is stored once, under its checksum. Deleted entries are simply missing in the next backup.
// (Badger's own incremental backup loses deletions that it has compacted.) The list of parts is written last and completes a backup, so a
// process may be killed at any moment.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package backup
