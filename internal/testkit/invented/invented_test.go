package invented

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// What makes a benchmark honest: words recur as in natural languages, texts pack as well as theirs, or a little worse, and most
// of a page is mark-up.
func TestTextsAreLikeRealOnes(t *testing.T) {
	w := &writer{pages: 100, random: rand.New(rand.NewPCG(1, 2))}
	w.language = newLanguage(w.random)
	w.templates = append(w.templates, w.template(0))
	different, texts, packed, html, packedHTML := 0, 0, 0, 0, 0
	const pages = 50
	for range pages {
		topic := w.topic()
		text := w.paragraph(topic, 1000)
		seen := map[string]bool{}
		for _, word := range strings.Fields(strings.ToLower(strings.ReplaceAll(text, ".", ""))) {
			seen[word] = true
		}
		different += len(seen)
		b := w.body()
		said := strings.Join(b.paragraphs, " ")
		page := w.html(0, &b)
		texts, packed = texts+len(said), packed+packedSize(said)
		html, packedHTML = html+len(page), packedHTML+packedSize(page)
	}
	for _, test := range []struct {
		what        string
		is          float64
		least, most float64
	}{
		{"different words of a thousand", float64(different) / pages, 350, 450},
		{"a text by what it packs to", float64(texts) / float64(packed), 2.2, 3.2},
		{"text by page", float64(texts) / float64(html), 0.10, 0.25},
		{"text by packed page", float64(texts) / float64(packedHTML), 0.5, 1.3},
	} {
		if test.is < test.least || test.is > test.most {
			t.Errorf("%s: %.2f, want %.2f to %.2f", test.what, test.is, test.least, test.most)
		}
	}
}

func packedSize(s string) int {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(s))
	_ = z.Close()
	return b.Len()
}

func TestTheSameShapeIsTheSameArchive(t *testing.T) {
	read := func(s Shape) []byte {
		t.Helper()
		dir := t.TempDir()
		if err := Write(dir, s); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(filepath.Join(dir, "invented-000.warc.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(z); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	one := read(Shape{Pages: 20, Captures: 3})
	if !bytes.Equal(one, read(Shape{Pages: 20, Captures: 3})) {
		t.Error("the same shape gave two archives")
	}
	if bytes.Equal(one, read(Shape{Pages: 20, Captures: 3, Change: Whole})) {
		t.Error("pages that change whole are as those that change a little")
	}
	if n := bytes.Count(one, []byte("WARC-Type: response")); n != 60 {
		t.Errorf("%d records, want 60", n)
	}
}
