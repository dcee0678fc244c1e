// Package requests finds the capture that answers a request without captures under its own key: under a key that differs only in values
// that vary, or with a request whose body is similar.
package requests
