// Package respond has what all handlers of the server share: the grammar of its paths ([ParsePath]), the addresses of the server
// ([Site]), the table from errors to statuses ([AsFailure]), and how bodies and pages are sent.
//
// Stability: a part of package replay, not meant for other programs.
package respond
