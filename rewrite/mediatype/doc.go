// Package mediatype tells which bodies are safe to send by their media type.
//
// Browsers handle some media types before a document and its policy exist: they ask for the certificate and the fallback address of
// a signed exchange, replace a document by the parts of multipart/x-mixed-replace, or open calendars and playlists in other
// programs. No list of such types stays complete, so only types that are known to be shown or saved pass.
package mediatype
