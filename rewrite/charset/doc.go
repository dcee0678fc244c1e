// Package charset finds in which charset browsers read a document, and converts documents whose bytes a rewriter could not read.
package charset
