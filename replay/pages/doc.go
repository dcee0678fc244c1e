// Package pages is the folder of the server's own pages: each is a package below, with its handler, view, template and golden files, and
// package layout has what they share. The tests here ask several pages whether they say the same.
package pages
