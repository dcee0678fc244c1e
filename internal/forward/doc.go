// Package forward is a forward proxy without outgoing connections. It answers plain requests itself. A CONNECT ends at an internal TLS
// server, with a certificate that its CA signs for the host; the same handler answers the requests inside. [URI] returns what a request is
// for.
package forward
