// Package office reads the text of office files that are XML in a ZIP file: those of ISO/IEC 29500 (docx, xlsx, pptx) and
// of ISO/IEC 26300, OpenDocument (odt, ods, odp).
//
// Files may be hostile. How much is inflated, how deep elements are nested, how long one may be and how many members a file
// has are all bounded; beyond that a file has the text that was read before. Older binary files (doc, xls, ppt) are not
// read.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package office
