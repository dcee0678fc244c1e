// Package visual keeps pictures of pages and compares them.
//
// A [Picture] describes one memento at one width: its image, its blocks with their text and a small version of their pixels, and what the
// page lacked. A [Store] keeps pictures in a folder beside the index. [Compare] finds the [Region]s that changed, and whether a change is
// important: in the content of a page, not around it. It needs only the two descriptions, so comparing a hundred versions reads no image.
//
// Package replay/render makes pictures. This package knows no access rules: package archive/gallery returns the pictures that readers may
// see.
package visual
