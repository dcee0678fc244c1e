// Package icon has the small pictures of the banner and of varve's pages. Their code is generated together with the banner's.
package icon
