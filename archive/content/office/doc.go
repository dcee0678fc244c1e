// Package office reads the text of office files: XML in a ZIP file (docx, xlsx, pptx of ISO/IEC 29500; odt, ods, odp of ISO/IEC 26300,
// OpenDocument), books (EPUB), Rich Text, and documents of Word 97 to 2003 (doc). Other binary files (xls, ppt) are not read.
//
// Files may be hostile. The inflated size, the nesting and length of elements, and the number of members are bounded. Beyond that a file
// has the text that was read before.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package office
