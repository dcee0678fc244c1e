// Package reference resolves the references of a document to the absolute URIs that a browser would ask for (URL standard). A
// reference that a browser might follow is never left unresolved: one that is too long or invalid becomes the URI of a page of the
// archive that says so.
package reference
