// Package proxy shows the archived web at its original addresses. It is a forward proxy for HTTP and HTTPS that
// answers from an archive and never from the live web (RFC 7089 §4.1.2, pattern 1.2). Start with [New].
//
// Stability: a part of package replay, not meant for other programs.
package proxy
