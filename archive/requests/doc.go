// Package requests finds the capture that answers a request for which the archive has none under its own key: one under a key that
// differs only in values that vary, or one whose request had a body like that of the request.
package requests
