package ingest_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/ingest"
)

func TestReadPathIndex(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       ingest.PathIndex
		elsewhere  int
		bad        bool
	}{
		{name: "nothing", want: ingest.PathIndex{}},
		{name: "a path", text: "a.warc.gz\t/warcs/a.warc.gz\n", want: ingest.PathIndex{"a.warc.gz": "/warcs/a.warc.gz"}},
		{name: "lines of Windows, and blank ones", text: "a.warc\t/x y/a.warc\r\n\r\n", want: ingest.PathIndex{"a.warc": "/x y/a.warc"}},
		{
			name: "the first on this machine", text: "a.warc\thttp://h.example/a.warc\tfile:///w/a%20b.warc\t/z/a.warc\n",
			want: ingest.PathIndex{"a.warc": "/w/a b.warc"},
		},
		{name: "Java's way to write a file", text: "a.warc\tfile:/w/a.warc\n", want: ingest.PathIndex{"a.warc": "/w/a.warc"}},
		{name: "only elsewhere", text: "a.warc\thttp://h.example/a.warc\nb.warc\ts3://b/b.warc\n", want: ingest.PathIndex{}, elsewhere: 2},
		{name: "a name with folders", text: "in/a.warc\t/w/a.warc\n", want: ingest.PathIndex{"a.warc": "/w/a.warc"}},
		{
			name: "a long line", text: "a.warc\t/" + strings.Repeat("w", 100_000) + "\n",
			want: ingest.PathIndex{"a.warc": "/" + strings.Repeat("w", 100_000)},
		},
		{name: "a line without end", text: "a.warc\t/" + strings.Repeat("w", 1<<20), bad: true, want: ingest.PathIndex{}},
		{name: "without a tab", text: "a.warc /w/a.warc\n", bad: true},
		{name: "without a name", text: "\t/w/a.warc\n", bad: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, elsewhere, err := ingest.ReadPathIndex(strings.NewReader(test.text))
			if (err != nil) != test.bad || !maps.Equal(got, test.want) || elsewhere != test.elsewhere {
				t.Errorf("%q, %d elsewhere, %v", got, elsewhere, err)
			}
		})
	}
}

func FuzzReadPathIndex(f *testing.F) {
	f.Add("a.warc\t/w/a.warc\nb.warc\tfile:///x\thttp://h/\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, _, err := ingest.ReadPathIndex(strings.NewReader(text))
		for name, path := range got {
			if err == nil && (path == "" || strings.Contains(name, "/")) {
				t.Errorf("%q is at %q", name, path)
			}
		}
	})
}
