// Package gallery returns the pictures of a store that readers may see.
//
// A picture shows a memento and everything that it embeds. So it is visible to readers who may see all of these under the current rules,
// not those of when it was made: [Gallery.Pictures] leaves out the others, as if they had never been made. [Gallery.Each] finds the
// pictures that are still to be made, only of what everybody may see.
package gallery
