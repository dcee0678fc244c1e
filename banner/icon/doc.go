// Package icon has the small pictures of the banner and of varve's pages.
package icon

//go:generate go tool templ generate -include-version=false -log-level error
