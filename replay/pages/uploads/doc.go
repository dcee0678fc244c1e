// Package uploads has the handlers through which readers upload files: a drop zone on varve's own pages, the request with a file, and its
// progress. The files go to an [upload.Queue].
//
// Archived pages are on the same origin as varve's own, unless the server has a separate one for them, and must not upload anything:
// package guard says how that is prevented.
package uploads
