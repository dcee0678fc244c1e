// Package office reads the text of office files: those that are XML in a ZIP file, of ISO/IEC 29500 (docx, xlsx, pptx) and
// of ISO/IEC 26300, OpenDocument (odt, ods, odp); books (EPUB); Rich Text; and documents of Word 97 to 2003 (doc).
//
// Files may be hostile. How much is inflated, how deep elements are nested, how long one may be and how many members a file
// has are all bounded; beyond that a file has the text that was read before. Other binary files (xls, ppt) are not
// read.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package office
