// Package mediatype tells which bodies are safe to send by their media type.
//
// Browsers handle some media types before a document and its policy exist: they ask for the certificate and the fallback
// address of a signed exchange, replace a document by the parts of multipart/x-mixed-replace, hand calendars, playlists and
// program descriptions to other programs. Nobody can list what else they will handle in years to come, so only types that
// are known to be shown or kept as they are pass.
package mediatype
