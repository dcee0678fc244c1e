// Package forward is a forward proxy that connects to nothing. It answers plain requests in place; a CONNECT ends at a TLS server
// inside of it, with a certificate that its CA signs for the host, and the same handler answers the requests inside. What a
// request is for, [URI] says.
package forward
