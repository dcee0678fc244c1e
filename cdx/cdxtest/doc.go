// Package cdxtest checks that an index keeps the promises of [cdx.Source]. One call tests a new source:
//
//	func TestSource(t *testing.T) {
//		cdxtest.Run(t, func(captures []cdx.Capture) cdx.Source { … })
//	}
//
// [Memory] is a source for testing other code.
package cdxtest
