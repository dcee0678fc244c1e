// Package gallery shows of the pictures of a store what readers may see.
//
// A picture shows a memento and all that it embeds. So it is seen by those who may see each of these, under the rules of now, not of when
// it was made: [Gallery.Pictures] leaves out the others, as if they had never been made. [Gallery.Plan] says which pictures are to be made:
// only of what everybody may see.
package gallery
