// Package versions says for all pages what a version of an address is: what it shows, how it differs from the one before, and at
// which level versions are told apart.
package versions
