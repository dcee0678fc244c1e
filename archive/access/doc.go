// Package access decides who may see which captures. It is pure: rules and a request in, a decision out.
//
// A [Rules] value is an ordered set of rules. Each is for some URLs, and may be limited to captures of a time, to a time
// of day by the clock (an embargo) and to a group of readers. The first rule that applies decides; without one the
// capture is open to all. Rules for longer keys come before those for shorter ones, an exact match before a prefix, a
// rule for a group before one for everybody, and otherwise the order of the file holds.
//
// [Read] reads the YAML that CONTRACT.md and docs/access.md describe, [ReadACLJ] the files of pywb.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package access
