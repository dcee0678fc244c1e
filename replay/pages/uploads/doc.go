// Package uploads has the handlers through which readers hand in files: a drop zone on varve's own pages, the request
// that brings a file, and how far it is. The files go to an [upload.Queue].
//
// Archived pages are on the same origin as varve's own, unless the server has a separate one for them, and none of them
// may hand in anything: package guard says how that is held.
package uploads
