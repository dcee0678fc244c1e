package filetext_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/filetext"
	"github.com/varve-archive/varve/archive/content/office/officetest"
)

// Servers that don't know a format send files as octets, or give no type.
func TestTypesByTheNamesOfFiles(t *testing.T) {
	const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	for _, tt := range []struct{ mime, url, want string }{
		{"application/octet-stream", "http://a.example/files/Report.PDF", "application/pdf"},
		{"binary/octet-stream", "http://a.example/report.pdf?download=1#page", "application/pdf"},
		{"", "http://a.example/report.pdf", "application/pdf"},
		{"application/force-download", "http://a.example/a.rtf", "application/rtf"},
		{"application/x-pdf", "http://a.example/report", "application/pdf"},
		{"application/zip", "http://a.example/a.docx", docx},
		{"application/octet-stream", "http://a.example/a.docx", docx},
		{"application/octet-stream", "http://a.example/a.ods", "application/vnd.oasis.opendocument.spreadsheet"},
		{"application/octet-stream", "http://a.example/a.odt", "application/vnd.oasis.opendocument.text"},
		{"application/octet-stream", "http://a.example/a.odp", "application/vnd.oasis.opendocument.presentation"},
		{"application/octet-stream", "http://a.example/a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
		{"application/octet-stream", "http://a.example/a.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
		{"application/octet-stream", "http://a.example/a.doc", "application/msword"},
		{"application/octet-stream", "http://a.example/a.epub", "application/epub+zip"},
		{"application/vnd.ms-excel", "http://a.example/a.csv", "text/csv"},
		{"application/octet-stream", "http://a.example/a.sxw", "application/vnd.oasis.opendocument.text"},
		{"application/vnd.ms-excel", "http://a.example/a.xlsm", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
		{"application/vnd.ms-powerpoint", "http://a.example/a.ppsx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
		{"application/vnd.ms-excel", "http://a.example/a.xls", "application/vnd.ms-excel"},
		{"application/octet-stream", "http://a.example/a.csv", "text/csv"},
		{"application/octet-stream", "http://a.example/a.exe", "application/octet-stream"},
		{"application/octet-stream", "http://a.example/a?file=a.pdf", "application/octet-stream"},
		{"application/octet-stream", "http://a.pdf", "application/octet-stream"},
		{"text/html", "http://a.example/a.pdf", "text/html"},
		{"text/plain", "http://a.example/a.pdf", "text/plain"},
		{"", "http://a.example/a", ""},
		{"", "%", ""},
	} {
		if got := filetext.TypeOf(tt.mime, tt.url); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.mime, tt.url, got, tt.want)
		}
	}
}

func TestPage(t *testing.T) {
	const rss = `<rss version="2.0"><channel><title>News</title><item><title>Rain</title></item></channel></rss>`
	const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	for _, tt := range []struct {
		name, mime, file string
		is, whole        bool
		want             string // in the page; "" for an error
	}{
		{"a feed", "application/rss+xml", rss, true, false, "<title>News</title>"},
		{"a feed as XML", "application/xml", rss, true, false, "<title>News</title>"},
		{"XML", "application/xml", "<a><b>hail</b></a>", true, false, "hail"},
		{"what is no feed", "application/rss+xml", "", true, false, ""},
		{"a broken feed", "application/rss+xml", "<html><p>hail", true, false, "hail"},
		{"data", "application/json", `{"a": "snow"}`, true, false, "snow"},
		{"an office file", docx, string(officetest.Document("", "sleet")), true, true, "sleet"},
		{"what is no office file", docx, rss, true, true, ""},
		{"a page", "text/html", "", false, false, ""},
	} {
		if filetext.Is(tt.mime) != tt.is || filetext.IsWhole(tt.mime) != tt.whole {
			t.Errorf("%s: is %t, whole %t", tt.name, filetext.Is(tt.mime), filetext.IsWhole(tt.mime))
		}
		if !tt.is {
			continue
		}
		page, err := filetext.Page(tt.mime, tt.mime, []byte(tt.file))
		if (err == nil) != (tt.want != "") || !strings.Contains(string(page), tt.want) {
			t.Errorf("%s: %s, %v", tt.name, page, err)
		}
	}
}
