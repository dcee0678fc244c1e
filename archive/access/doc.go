// Package access decides who may see which captures. It is pure: it takes rules and a request, and returns a decision.
//
// A [Rules] value is an ordered set of rules. Each applies to some URLs, and may be limited to captures of a time, to an age by the clock
// (an embargo) and to a group of readers. The first rule that applies decides; if none does, the capture is open to all. Rules for longer
// keys come before those for shorter ones, an exact match before a prefix, a rule for a group before one for everybody; otherwise the order
// of the file counts.
//
// [Read] reads YAML as docs/access.md describes it, [ReadACLJ] the files of pywb.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package access
