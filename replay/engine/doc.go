// Package engine serves what was archived: mementos, rewritten or as they were, TimeGates, TimeMaps and CDX lines (RFC
// 7089 and the API of the wayback CDX server). Start with [New].
//
// Stability: a part of package replay, not meant for other programs.
package engine
