package main

import (
	"bytes"
	"math/bits"
	"strings"

	"github.com/markusmobius/go-trafilatura"
	"github.com/zeebo/xxh3"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// A reading is the input of the other methods for one body.
type reading struct {
	simHash uint64
	own     string // go-trafilatura's text
}

func read(body []byte) reading {
	utf8 := toUTF8(body)
	return reading{simHash: simHash(visibleWords(utf8)), own: ownText(utf8)}
}

func toUTF8(body []byte) []byte {
	enc, _, _ := charset.DetermineEncoding(body[:min(len(body), 1024)], "text/html")
	if out, err := enc.NewDecoder().Bytes(body); err == nil {
		return out
	}
	return body
}

// ownText returns the text without marks of tables and lists, with white space collapsed.
func ownText(body []byte) string {
	got, err := trafilatura.Extract(bytes.NewReader(body), trafilatura.Options{EnableFallback: true, ExcludeComments: true})
	if err != nil || got == nil {
		return ""
	}
	return strings.Join(strings.Fields(got.ContentText), " ")
}

// visibleWords returns the words between the tags, without scripts and styles.
func visibleWords(body []byte) (words []string) {
	z := html.NewTokenizer(bytes.NewReader(body))
	hidden := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return words
		case html.StartTagToken:
			name, _ := z.TagName()
			switch string(name) {
			case "script", "style", "noscript", "template", "iframe":
				hidden = string(name)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == hidden {
				hidden = ""
			}
		case html.TextToken:
			if hidden == "" {
				words = append(words, strings.Fields(string(z.Text()))...)
			}
		}
	}
}

// simHash is Charikar's SimHash of 64 bits over words.
func simHash(words []string) (h uint64) {
	var sum [64]int
	for _, w := range words {
		x := xxh3.HashString(w)
		for i := range sum {
			sum[i] += int(x>>i&1)*2 - 1
		}
	}
	for i, n := range sum {
		if n > 0 {
			h |= 1 << i
		}
	}
	return h
}

// maxDistance is the usual limit for the number of bits in which the SimHashes of texts that count as equal differ.
const maxDistance = 3

// changed returns the answer of each of the other methods for two readings.
func (r reading) changed(before reading) (bySimHash, byOwnText bool) {
	return bits.OnesCount64(r.simHash^before.simHash) > maxDistance, r.own != before.own
}
