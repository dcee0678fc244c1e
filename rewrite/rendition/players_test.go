package rendition

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// held is an archive that has these URI-Rs.
type held []string

func (h held) Has(uris []string) []bool {
	out := make([]bool, len(uris))
	for i, u := range uris {
		out[i] = slices.Contains(h, u)
	}
	return out
}

func (held) Read(string) []byte { return nil }

func TestPlayerRules(t *testing.T) {
	for _, r := range playerRules() {
		if r.Name == "" || r.Source == "" || len(r.Lists) == 0 || len(r.Examples) == 0 {
			t.Errorf("%q lacks something", r.Name)
		}
		for _, e := range r.Examples {
			if !ForPlayer(e.URI) || ForPlayer("https://other.example/?"+e.URI) {
				t.Errorf("%s: which addresses are for a player", e.URI)
			}
			if got := string(Player([]byte(e.Text), e.URI, held(e.Captured))); got != e.Stays {
				t.Errorf("%s:\n got %s\nwant %s", r.Name, got, e.Stays)
			}
			if got := string(Player([]byte(e.Text), e.URI, held{})); got != e.Text {
				t.Errorf("%s, nothing captured: %s", r.Name, got)
			}
			if got := string(Player([]byte(e.Text), "https://other.example/", held(e.Captured))); got != e.Text {
				t.Errorf("%s, elsewhere: %s", r.Name, got)
			}
		}
	}
}

// What isn't surely a list of renditions stays as it is.
func TestPlayerLeavesOthersAlone(t *testing.T) {
	for _, text := range []string{
		"", `{"variants":[]}`, `{"variants":["https://a.example/1","https://a.example/2"]}`,
		`{"variants":[{"url":"https://a.example/1"},{"name":"blue"}]}`,
		`{"variants":[{"url":"https://a.example/1"},{"url":"https://a.example/2"}`,
		`{"variants":[{"url":"https://a.example/1"},{"url":"https://a.example/2"},{"url":"data:,x"}]}`,
		`{"variants":[{"url":"https://a.example/1"},{"url":7}]}`, `{"variants":[{"url":"https://a.example/1"},{"url":"data:,x"}]}`,
		`{\"variants\":[{\"url\":\"https://a.example/1\"},{\"url\":\"https://a.example/2\"}]}`,
	} {
		if got := string(Player([]byte(text), "https://x.com/a", held{"https://a.example/1"})); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

// Lists may be inside of each other.
func TestPlayerTrimsListsWithinLists(t *testing.T) {
	const text = `{"variants":[{"url":"https://a.example/1","variants":[{"url":"https://a.example/2"},{"url":"https://a.example/3"}]},` +
		`{"url":"https://a.example/4"}]}`
	if got := string(Player([]byte(text), "https://x.com/", held{"https://a.example/2", "https://a.example/4"})); got !=
		`{"variants":[{"url":"https://a.example/4"}]}` {
		t.Error(got)
	}
	const two = `{"video_variants":[{"src":"https://a.example/1"},{"src":"https://a.example/2"}],"variants":[{"url":"https://a.example/3"},` +
		`{"url":"https://a.example/4"}]}`
	if got := string(Player([]byte(two), "https://x.com/", held{"https://a.example/2", "https://a.example/3"})); got !=
		`{"video_variants":[{"src":"https://a.example/2"}],"variants":[{"url":"https://a.example/3"}]}` {
		t.Error(got)
	}
}

// A value that can't be read is passed over, and those after it are read.
func TestPlayerGoesOnBehindWhatItCannotRead(t *testing.T) {
	const list, hls, none = `"progressive":[{"url":"https://a.example/1"}]}`, `"hls":{"url":"https://a.example/2"},`, `"progressive":[none],`
	for text, want := range map[string]string{
		`{"hls":none,` + hls + list:  `{"hls":none,"_` + hls[1:] + list,
		`{"hls":{},` + hls + list:    `{"hls":{},"_` + hls[1:] + list,
		`{"hls":"x",` + none + list:  `{"hls":"x",` + none + list,
		`{` + none + hls + list:      `{` + none + `"_` + hls[1:] + list,
		`{` + none + none + list[1:]: `{` + none + none + list[1:],
	} {
		if got := string(Player([]byte(text), "https://vimeo.com/7", held{"https://a.example/1"})); got != want {
			t.Errorf("%s became\n%s", text, got)
		}
	}
	const first, second = `{\"url\":\"https://a.example/1\"}`, `{\"url\":\"https://a.example/2\"}`
	for _, before := range []string{"", `"{\"a\":}"`, `"{\"a\":1}"`, `"{\"a\x"`, `"{\"a\":\"{\\\"b\\\":1}\"}"`} {
		text, want := `[`+before+`,"{\"formats\":[`+second+`,`+first+`]}"]`, `[`+before+`,"{\"formats\":[`+first+`]}"]`
		if got := string(Player([]byte(text), "https://www.youtube.com/", held{"https://a.example/1"})); got != want {
			t.Errorf("%s became\n%s", text, got)
		}
	}
}

// A text that was JSON stays JSON.
func FuzzPlayer(f *testing.F) {
	for _, r := range playerRules() {
		for _, e := range r.Examples {
			f.Add(e.Text, e.URI, strings.Join(e.Captured, " "))
		}
	}
	f.Fuzz(func(t *testing.T, text, uri, captured string) {
		got := Player([]byte(text), uri, held(strings.Fields(captured)))
		if json.Valid([]byte(text)) && !json.Valid(got) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestPlayerReadsSoManyRenditions(t *testing.T) {
	const one, end = `{"variants":[{"url":"https://a.example/1"}`, `]}`
	for n, stays := range map[int]string{500: one + end, 501: ""} {
		text := one + strings.Repeat(`,{"url":"https://a.example/2"}`, n-1) + end
		if got := string(Player([]byte(text), "https://x.com/", held{"https://a.example/1"})); got != cmp.Or(stays, text) {
			t.Errorf("of %d renditions %d bytes stay", n, len(got))
		}
	}
}

// What is read again and again, since lists and strings may be in one another, is read so often and no oftener: then it stays.
func TestPlayerReadsATextSoOften(t *testing.T) {
	pad := strings.Repeat("x", 4000)
	const one, two = `{"url":"https://a.example/1"`, `{"url":"https://a.example/2"}`
	for name, tt := range map[string]struct {
		uri                    string
		before, begin, between string
		end, after, sign       string
		few, many              int // how much is trimmed of 4 things in one another, and at most of 12
	}{
		"lists in lists": {
			"https://x.com/", `{`, `"variants":[` + one + `,`, `"pad":"` + pad + `"`, `},` + two + `]`, `}`, two, 4, 0,
		},
		"strings in strings": {
			"https://www.youtube.com/", `["`, `{\"x\"`, pad, ``,
			`","{\"formats\":[{\"url\":\"https://a.example/2\"},{\"url\":\"https://a.example/1\"}]}"]`, `https://a.example/2`, 1, 0,
		},
		"other ways in other ways": {
			"https://vimeo.com/7", `{"progressive":[` + one + `}],`, `"hls":{`, `"u":"https://a.example/2","pad":"` + pad + `"`,
			`}`, `}`, `"hls"`, 4, 11,
		},
	} {
		for n, most := range map[int]int{4: tt.few, 12: tt.many} {
			text := tt.before + strings.Repeat(tt.begin, n) + tt.between + strings.Repeat(tt.end, n) + tt.after
			got := string(Player([]byte(text), tt.uri, held{"https://a.example/1"}))
			if trimmed := strings.Count(text, tt.sign) - strings.Count(got, tt.sign); trimmed > most || n == 4 && trimmed != most {
				t.Errorf("%s: of %d %d are trimmed", name, n, trimmed)
			}
		}
	}
}

// Of things beside one another, however far apart, all are trimmed: no byte of them is read twice.
func TestPlayerReadsThingsBesideOneAnother(t *testing.T) {
	const n, pad = 30, `,"pad":"` + "0123456789012345678901234567890123456789" + `",`
	representation := func(id string) string {
		return `<Representation id=\"` + id + `\"><BaseURL>https://a.example/` + id + `</BaseURL></Representation>`
	}
	for _, tt := range []struct{ uri, before, unit, gone string }{
		{"https://x.com/", ``, `"variants":[{"url":"https://a.example/2"},{"url":"https://a.example/1"}]`, `example/2`},
		{
			"https://www.youtube.com/", ``, `"a":"{\"formats\":[{\"url\":\"https://a.example/2\"},{\"url\":\"https://a.example/1\"}]}"`,
			`example/2`,
		},
		{"https://vimeo.com/7", `"progressive":[{"url":"https://a.example/1"}],`, `"hls":{"u":"https://a.example/2"}`, `"hls"`},
		{
			"https://www.instagram.com/p/n/", ``,
			`"dash_manifest":"<MPD><Period><AdaptationSet>` + representation("1") + representation("2") + `</AdaptationSet></Period></MPD>"`,
			`example/2`,
		},
	} {
		text := `{` + tt.before + strings.Repeat(tt.unit+strings.Repeat(pad, 30), n) + `"end":0}`
		got := string(Player([]byte(text), tt.uri, held{"https://a.example/1"}))
		if before, after := strings.Count(text, tt.gone), strings.Count(got, tt.gone); before != n || after != 0 {
			t.Errorf("%s: %d of %d stay", tt.uri, after, before)
		}
	}
}
