// Package ways leads on from what isn't there: to pages that may stand in for it, and to what is around it.
package ways
