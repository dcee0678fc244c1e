// Package answer gives what was archived: mementos, rewritten or as they were, TimeGates, TimeMaps and CDX lines (RFC 7089
// and the wayback CDX server's API). Start with [New].
//
// Stability: a part of package replay, not meant for other programs.
package answer
