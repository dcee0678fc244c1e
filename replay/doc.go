// Package replay puts the server together. [New] turns an archive into one HTTP handler for Memento (RFC 7089), the
// CDX API, replay and the pages about changes. [Server.NewProxy] serves the same archive as an HTTP proxy.
//
// The packages below do the work: package respond parses requests, engine serves mementos, TimeGates and TimeMaps, pages serves what
// people see, and proxy is the proxy mode.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package replay
