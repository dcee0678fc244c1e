// Package reference resolves the references of a document: it makes of what a page wrote the absolute URI that a browser would ask
// for (URL standard). A reference that a browser might follow never stays as it is: one that is too long or no URI at all becomes the
// URI of a page of the archive that says so.
package reference
