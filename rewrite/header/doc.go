// Package header makes the HTTP header with which an archived response is replayed: what acts on the server's origin or on the
// reader's browser beyond the page is only shown, and URIs point into the archive.
package header
