// Package pdf reads the text of PDF files.
//
// The parser trusts its input: a hostile file can keep it busy or fill the memory. Give files to a process that can be
// ended, as "varve pdf-text" is.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package pdf
