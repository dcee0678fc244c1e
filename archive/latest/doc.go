// Package latest lists the versions of one address, of a host or of a whole collection, newest first, and rates the importance of changes.
// It reads only the index, no records.
//
// Start with [Walk]. It yields what readers may see now: its list of addresses may be slightly outdated, but the versions of each address
// are read again.
package latest
