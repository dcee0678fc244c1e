// Package replaytest provides what the tests of the server's packages share: small archives, a server over them, and
// a browser that reads its pages.
package replaytest
