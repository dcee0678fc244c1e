package filetext_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/filetext"
	"github.com/varve-archive/varve/archive/content/office/officetest"
)

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
		{"what is no feed", "application/rss+xml", "hail", true, false, ""},
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
