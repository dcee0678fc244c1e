// Package uses says what a page uses a URI for: as a link, an image, a script and so on. A URI-M has it as its modifier. The
// rewriters ask a [Resolver] about the URIs that they find, each with its use.
package uses
