// Package latest lists the versions of one address, of a host or of a whole collection, the newest first, and says how important a
// change is. It answers from the index alone and opens no record.
//
// Begin with [Walk]. What it yields is what the readers of the archive may see now: the list of addresses that it begins with may be
// of a moment ago, but the versions of each are read again.
package latest
