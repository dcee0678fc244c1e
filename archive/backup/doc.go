// Package backup keeps the contents of an index in a folder or a bucket, again and again at little cost, and gives them back.
//
// A backup is a walk over all entries in the order of their keys, as they were at one moment. The entries are cut into
// parts where a key says so, so that most parts of the next backup are those of the one before; a part is stored once,
// under its checksum. What was deleted needs no mark: it is in no part of the next backup. (Badger's own incremental
// backup loses deletions that it has compacted.) A backup exists once its list of parts does, which is written last, so a
// process may be killed at any moment.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package backup
