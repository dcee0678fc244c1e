// Package officetest writes office files for tests.
package officetest

import (
	"archive/zip"
	"bytes"
	"maps"
	"slices"
)

// Zip returns a ZIP file of some members.
func Zip(members map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(members[name]))
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Document returns a text document with a title, of one paragraph for each text.
func Document(title string, paragraphs ...string) []byte {
	body := ""
	for _, p := range paragraphs {
		body += "<w:p><w:r><w:t>" + p + "</w:t></w:r></w:p>"
	}
	return Zip(map[string]string{
		"docProps/core.xml": `<cp:coreProperties xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:cp="urn:cp"><dc:title>` + title +
			"</dc:title></cp:coreProperties>",
		"word/document.xml": `<w:document xmlns:w="urn:w"><w:body>` + body + "</w:body></w:document>",
	})
}
