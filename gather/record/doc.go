// Package record is a proxy that a browser is set to. It asks the live web for what the browser wants, and writes what passes as WARC
// records: requests, responses, and beside them what was left out of both because it is secret.
package record
