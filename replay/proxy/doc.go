// Package proxy shows the archived web at its own addresses: a forward proxy for HTTP and HTTPS that answers from an
// archive and never from the live web (RFC 7089 §4.1.2, pattern 1.2). Start with [New].
package proxy
