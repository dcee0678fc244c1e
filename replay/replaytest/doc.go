// Package replaytest gives the tests of the server's rooms what they share: small archives written in place, a server
// over them, a browser that reads its pages.
package replaytest
