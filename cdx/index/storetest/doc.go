// Package storetest holds what every engine under an index is tested with: [Run] is the suite that all of them pass, to
// be called from a test in the engine's own package; [Memory] is the simplest store that passes it, shared by as many
// indexes as one likes; [Faulty] lets any store fail at a chosen moment.
package storetest
