// Package replay puts the server together: [New] takes an archive and gives one HTTP handler for Memento (RFC 7089), the
// CDX API, replay, and the pages about changes; [Server.NewProxy] gives the same archive as an HTTP proxy.
//
// What is behind a path is in the rooms below: package web takes requests apart, answer has mementos, TimeGates and
// TimeMaps, page what people see, proxy the proxy mode.
package replay
