package mediatype

import "testing"

func TestTypesAsBrowsersReadThem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		declared   []string
		safe, feed bool
	}{
		{nil, true, false},
		{[]string{""}, true, false},
		{[]string{"nothing"}, true, false},
		{[]string{"Text/HTML; charset=utf-8"}, true, false},
		{[]string{"text/html, application/signed-exchange;v=b3"}, false, false},
		{[]string{"text/html", "text/calendar"}, false, false},
		{[]string{"application/vnd.api+json"}, true, false},
		{[]string{"application/"}, false, false},
		{[]string{"text/"}, false, false},
		{[]string{"image/x+json"}, false, false},
		{[]string{";/"}, true, false},
		{[]string{"application/rss+xml;a=b, text/html"}, false, false},
		{[]string{"text/javascript1.5"}, true, false},
		{[]string{"text/xsl"}, true, false},
		{[]string{"text/calendar"}, false, false},
		{[]string{"image/png"}, true, false},
		{[]string{"image/vnd.dwg"}, false, false},
		{[]string{"audio/mpeg"}, true, false},
		{[]string{"audio/x-scpls"}, false, false},
		{[]string{"video/mp4"}, true, false},
		{[]string{"video/x-ms-asf"}, false, false},
		{[]string{"font/woff2"}, true, false},
		{[]string{"font/x"}, false, false},
		{[]string{"application/pdf"}, true, false},
		{[]string{"application/msword"}, false, false},
		{[]string{"binary/octet-stream"}, true, false},
		{[]string{"binary/x"}, false, false},
		{[]string{"unknown/unknown"}, true, false},
		{[]string{"unknown/x"}, false, false},
		{[]string{"*/*"}, true, false},
		{[]string{"x/x"}, false, false},
		{[]string{"*/*", "unknown/unknown", "binary/octet-stream"}, true, false},
		{[]string{"*/html"}, false, false},
		{[]string{"font/ttf", "audio/midi", "video/3gpp2", "image/svg+xml"}, true, false},
		{[]string{"application/rss+xml; charset=utf-8"}, false, true},
		{[]string{"application/rss+xml, text/html"}, false, false},
		{[]string{"application/atom+xml", "application/atom+xml"}, false, false},
	} {
		if got := AreSafe(tt.declared); got != tt.safe {
			t.Errorf("AreSafe(%q) = %v", tt.declared, got)
		}
		if got := IsFeed(tt.declared); got != tt.feed {
			t.Errorf("IsFeed(%q) = %v", tt.declared, got)
		}
	}
}
