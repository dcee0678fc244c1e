// Package charset finds the charset in which browsers read a document, and converts documents whose bytes a rewriter can't read.
package charset
