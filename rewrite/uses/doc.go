// Package uses says what a page uses a URI for: as a link, an image, a script and so on. The use is the modifier of a URI-M. The
// rewriters pass each URI that they find to a [Resolver], together with its use.
package uses
