// Package cdxtest checks that an index keeps the promises of [cdx.Source]. A test of a new source is one call:
//
//	func TestSource(t *testing.T) {
//		cdxtest.Run(t, func(captures []cdx.Capture) cdx.Source { … })
//	}
//
// [Memory] is a source to test other things with.
package cdxtest
