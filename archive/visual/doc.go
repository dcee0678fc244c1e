// Package visual keeps pictures of pages and says what differs between two of them.
//
// A [Picture] is what is known of one memento at one width: where its image is, its blocks with their text and their pixels in small, and
// what the page lacked. A [Store] keeps pictures in a folder beside the index. [Compare] finds the [Region]s that changed, and whether one
// of them matters: the content of a page, not what stands around it. All that it needs is in the two records, so that comparing a hundred
// versions reads no image.
//
// It makes no pictures: package replay/render does. It knows no access rules: package archive/gallery shows of a store what readers may
// see.
package visual
