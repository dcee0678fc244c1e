// Package sentinel has the type of errors that represent one condition and carry nothing else. They are constants, so that no package can
// replace another's:
//
//	const ErrBusy = sentinel.Error("too many requests")
package sentinel

// An Error is an error by its text. [errors.Is] compares it by value, so each condition needs a text of its own.
type Error string

// Error implements the interface error.
func (e Error) Error() string { return string(e) }
