package rendition_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/rewrite/rendition"
)

// A shelf is an archive that holds these URI-Rs, with the text of some.
type shelf struct {
	held  []string
	texts map[string]string
}

func (s shelf) Has(uris []string) []bool {
	out := make([]bool, len(uris))
	for i, u := range uris {
		_, read := s.texts[u]
		out[i] = read || slices.Contains(s.held, u)
	}
	return out
}

func (s shelf) Read(uri string) []byte { return []byte(s.texts[uri]) }

func holding(held ...string) shelf { return shelf{held: held} }

const master = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",URI="en.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch", URI="de.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="ac3",NAME="English",URI="en-ac3.m3u8"
#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="English",INSTREAM-ID="CC1"
#EXT-X-STREAM-INF:BANDWIDTH=100,AUDIO="aac"
low/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=200,AUDIO="aac"

# a remark
http://cdn.example/mid.m3u8?t=1#x
#EXT-X-STREAM-INF:BANDWIDTH=300,AUDIO="ac3"
/high.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=10,URI="low/trick.m3u8"
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=20,URI="mid/trick.m3u8"
/stray.m3u8
`

func TestHLS(t *testing.T) {
	const base, dir = "http://a.example/film/master.m3u8", "http://a.example/film/"
	for _, test := range []struct {
		name string
		held []string
		gone []string // beginnings of the removed lines
	}{
		{"nothing captured: all stay", nil, nil},
		{
			"one variant",
			[]string{"http://cdn.example/mid.m3u8?t=1"},
			[]string{"#EXT-X-STREAM-INF:BANDWIDTH=100", "low/index", "#EXT-X-STREAM-INF:BANDWIDTH=300", "/high"},
		},
		{
			"the last variant and a language",
			[]string{"http://a.example/high.m3u8", dir + "de.m3u8"},
			[]string{
				"#EXT-X-STREAM-INF:BANDWIDTH=100", "low/index", "#EXT-X-STREAM-INF:BANDWIDTH=200", "", "# a remark", "http://cdn",
				`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English"`,
			},
		},
		{"one to skim through", []string{dir + "mid/trick.m3u8"}, []string{"#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=10"}},
		{"what belongs to no variant", []string{"http://a.example/stray.m3u8"}, nil},
		{"two of three", []string{dir + "low/index.m3u8", "http://a.example/high.m3u8"}, []string{
			"#EXT-X-STREAM-INF:BANDWIDTH=200", "", "# a remark", "http://cdn",
		}},
	} {
		var want strings.Builder
		for l := range strings.Lines(master) {
			if !slices.ContainsFunc(test.gone, func(begin string) bool {
				return strings.HasPrefix(l, begin+"\n") || begin != "" && strings.HasPrefix(l, begin)
			}) {
				want.WriteString(l)
			}
		}
		if diff := cmp.Diff(want.String(), string(rendition.HLS([]byte(master), base, holding(test.held...)))); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// Best leaves what a player needs who is offered one variant.
func TestBest(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		master: `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",URI="en.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch", URI="de.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="ac3",NAME="English",URI="en-ac3.m3u8"
#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="English",INSTREAM-ID="CC1"
#EXT-X-STREAM-INF:BANDWIDTH=300,AUDIO="ac3"
/high.m3u8
/stray.m3u8
`,
		"#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=900,BANDWIDTH=20\na\n#EXT-X-STREAM-INF:CODECS=\"x,BANDWIDTH=900\", BANDWIDTH=100 \nb\n" +
			"#EXT-X-STREAM-INF:BANDWIDTH=30\nc": "#EXT-X-STREAM-INF:CODECS=\"x,BANDWIDTH=900\", BANDWIDTH=100 \nb\n",
		"#EXT-X-STREAM-INF:BANDWIDTH=9\na\n#EXT-X-STREAM-INF:BANDWIDTH=9\nb\n": "#EXT-X-STREAM-INF:BANDWIDTH=9\na\n",
		"#EXT-X-STREAM-INF:\na\n#EXT-X-STREAM-INF:BANDWIDTH=much\nb":           "#EXT-X-STREAM-INF:\na\n",
		"#EXTM3U\n#EXTINF:4,\na.ts\n#EXTINF:4,\nb.ts\n":                        "#EXTM3U\n#EXTINF:4,\na.ts\n#EXTINF:4,\nb.ts\n",
		"": "",
	} {
		if diff := cmp.Diff(want, string(rendition.Best([]byte(list)))); diff != "" {
			t.Errorf("want (-), got (+)\n%s", diff)
		}
	}
}

// A list that is no master playlist, or that names nothing captured, must stay as it is.
func TestHLSLeavesOthersAlone(t *testing.T) {
	for _, list := range []string{
		"", "#EXTM3U\n#EXTINF:4,\na.ts\n#EXTINF:4,\nb.ts\n",
		"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{$host}/a.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{$host}/b.m3u8",
		"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nrtmp://a.example/a\n#EXT-X-STREAM-INF:BANDWIDTH=1\n%zz",
		"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1",
	} {
		if got := rendition.HLS([]byte(list), "http://a.example/a.m3u8", holding("http://a.example/a.ts")); string(got) != list {
			t.Errorf("%q became %q", list, got)
		}
	}
}

// representation returns one representation of a description, so that tests can compare which ones stay.
func representation(id, inside string) string {
	return fmt.Sprintf("<Representation id=%q bandwidth=\"%s00\">%s</Representation>", id, id, inside)
}

func TestDASH(t *testing.T) {
	const base = "http://a.example/film/manifest.mpd?x#y"
	one, two, three := representation("1", ""), representation("2", ""), representation("3", "")
	const template = `<SegmentTemplate initialization="init-$RepresentationID$.mp4" media="$RepresentationID$-$Number%05d$.m4s"/>`
	const mediaOnly = `<SegmentTemplate media="$Bandwidth$-$Number%05d$.m4s" startNumber="7"/>`
	period := func(sets string) string {
		return "<MPD><Period><AdaptationSet>" + sets + "</AdaptationSet></Period></MPD>"
	}
	for _, test := range []struct {
		name, list string
		held       []string
		want       string
	}{
		{"nothing captured: all stay", period(template + one + two), nil, "12"},
		{
			"by the initialization", period(template + one + two + three),
			[]string{"http://a.example/film/init-2.mp4"},
			"2",
		},
		{
			"by the first segment", period(mediaOnly + one + two),
			[]string{"http://a.example/film/200-00007.m4s"},
			"2",
		},
		{
			"by the first segment, which has the number 1 unless it is said",
			period(`<SegmentTemplate media="$Bandwidth$-$Number$.m4s"/>` + one + two),
			[]string{"http://a.example/film/200-1.m4s"},
			"2",
		},
		{
			"a template of its own", period(mediaOnly + one +
				representation("2", template)), []string{"http://a.example/film/init-2.mp4"}, "2",
		},
		{
			"bases within bases, the first of each", "<MPD><BaseURL>http://cdn.example/x/</BaseURL><BaseURL>http://b.example/</BaseURL><Period>" +
				"<BaseURL> y/ </BaseURL><AdaptationSet>" + representation("1", "<BaseURL>1.mp4</BaseURL><SegmentBase/>") +
				representation("2", `<BaseURL>2.mp4</BaseURL><SegmentBase><Initialization range="0-9"/></SegmentBase>`) +
				"</AdaptationSet></Period></MPD>",
			[]string{"http://cdn.example/x/y/1.mp4"},
			"1",
		},
		{
			"lists of segments",
			period(representation("1", `<SegmentList><Initialization sourceURL="i1.mp4"/><SegmentURL media="a.m4s"/></SegmentList>`) +
				representation("2", `<SegmentList><SegmentURL media="b.m4s"/><SegmentURL media="c.m4s"/></SegmentList>`) +
				representation("3", `<SegmentList><SegmentURL media="d.m4s"/></SegmentList>`)),
			[]string{"http://a.example/film/b.m4s", "http://a.example/film/i1.mp4"},
			"12",
		},
		{
			"each set by itself", period(template + one + two + "</AdaptationSet><AdaptationSet>" +
				strings.ReplaceAll(template, "init-", "sound-") + three + representation("4", "") + "</AdaptationSet><AdaptationSet>" +
				strings.ReplaceAll(template, "init-", "text-") + representation("5", "") + representation("6", "")),
			[]string{"http://a.example/film/init-1.mp4", "http://a.example/film/sound-4.mp4"},
			"1456",
		},
		{
			"what only the player knows stays", period(template + one +
				representation("2", `<SegmentTemplate initialization="$Time$.mp4"/>`) + representation("3", "")),
			[]string{"http://a.example/film/init-3.mp4"},
			"23",
		},
		{
			"what is no base, and one that is empty", "<MPD><Period><Label>no/</Label><BaseURL> </BaseURL><BaseURL>y/</BaseURL><AdaptationSet>" +
				template + one + two + "</AdaptationSet></Period></MPD>", []string{"http://a.example/film/y/init-1.mp4"}, "1",
		},
		{
			"a folder is no film", "<MPD><BaseURL>http://cdn.example/</BaseURL><Period><AdaptationSet>" + one +
				representation("2", "<BaseURL>http://cdn.example</BaseURL>") + representation("3", "<BaseURL>3.mp4</BaseURL>") +
				representation("4", "<BaseURL>4.mp4</BaseURL>") + "</AdaptationSet></Period></MPD>", []string{"http://cdn.example/3.mp4"}, "123",
		},
		{"nothing but a beginning", `<Initialization sourceURL="a"/>`, []string{"http://a.example/film/a"}, ""},
		{"broken", "<MPD><Period><AdaptationSet>" + template + one + two, []string{"http://a.example/film/init-1.mp4"}, "12"},
		{
			"wrongly nested", "<MPD><Period><AdaptationSet>" + template + one + two + "</Period>",
			[]string{"http://a.example/film/init-1.mp4"},
			"12",
		},
	} {
		got := string(rendition.DASH([]byte(test.list), base, holding(test.held...)))
		stays := ""
		for id := range strings.SplitSeq("1 2 3 4 5 6", " ") {
			if strings.Contains(got, "<Representation id=\""+id+"\"") {
				stays += id
			}
		}
		if stays != test.want {
			t.Errorf("%s: %s stay, want %s: %s", test.name, stays, test.want, got)
		}
	}
}

// Where nobody knows what references are relative to, lists stay as they are.
func TestListsWithoutAnAddressStay(t *testing.T) {
	const base = "http://a.example/%zz"
	all := holding("http://a.example/high.m3u8", "http://a.example/1.mp4", "http://a.example/1")
	description := "<MPD><Period><AdaptationSet>" + representation("1", "<BaseURL>http://a.example/1.mp4</BaseURL>") +
		representation("2", "<BaseURL>http://a.example/2.mp4</BaseURL>") + "</AdaptationSet></Period></MPD>"
	const list = `{"formats":[{"url":"https://a.example/1"},{"url":"https://a.example/2"}]}`
	master := strings.ReplaceAll(master, "\n/", "\nhttp://a.example/")
	for list, got := range map[string][]byte{
		master:      rendition.HLS([]byte(master), base, all),
		description: rendition.DASH([]byte(description), base, all),
		list:        rendition.Player([]byte(list), "https://www.youtube.com/%zz", all),
	} {
		if string(got) != list {
			t.Errorf("%s became %s", list, got)
		}
	}
}

// A player may request the playlists of all variants and play one: what it played must be what it is offered.
func TestHLSKeepsWhatWasPlayed(t *testing.T) {
	const at, base = "http://a.example/film/", "http://a.example/film/master.m3u8"
	const list = "#EXTM3U\n#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF:4,\n0.m4s\n#EXTINF:4,\n1.m4s\n"
	master := "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"de\",URI=\"de/i.m3u8\"\n" +
		"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"en\",URI=\"en/i.m3u8\"\n"
	texts := map[string]string{}
	for _, name := range []string{"de", "en", "1", "2", "3"} {
		texts[at+name+"/i.m3u8"] = list
		if len(name) == 1 {
			master += "#EXT-X-STREAM-INF:BANDWIDTH=" + name + "\n" + name + "/i.m3u8\n"
		}
	}
	for _, test := range []struct{ name, held, stay string }{
		{"playlists alone tell nothing", "", "de en 1 2 3"},
		{"one variant", "2/init.mp4 2/0.m4s 2/1.m4s", "de en 2"},
		{"the beginning of another", "1/init.mp4 1/0.m4s 2/init.mp4 2/0.m4s 2/1.m4s", "de en 2"},
		{"two that complete each other", "1/init.mp4 1/0.m4s 2/init.mp4 2/1.m4s", "de en 1 2"},
		{"a language, and a part of another", "de/init.mp4 de/0.m4s de/1.m4s en/init.mp4", "de en 1 2 3"},
		{"a language", "de/init.mp4 de/0.m4s", "de 1 2 3"},
	} {
		s := shelf{texts: texts}
		for name := range strings.FieldsSeq(test.held) {
			s.held = append(s.held, at+name)
		}
		got := string(rendition.HLS([]byte(master), base, s))
		var stay []string
		for _, name := range []string{"de", "en", "1", "2", "3"} {
			if strings.Contains(got, name+"/i.m3u8") {
				stay = append(stay, name)
			}
		}
		if strings.Join(stay, " ") != test.stay {
			t.Errorf("%s: %s stay, want %s", test.name, strings.Join(stay, " "), test.stay)
		}
	}
}

// An odd archive has every second of the URI-Rs that it is asked for, all with one text.
type odd struct{ text []byte }

func (odd) Has(uris []string) []bool {
	out := make([]bool, len(uris))
	for i := range out {
		out[i] = i%2 == 1
	}
	return out
}

func (o odd) Read(string) []byte { return o.text }

func FuzzTrimming(f *testing.F) {
	f.Add([]byte(master))
	f.Add([]byte(`<MPD><Period><AdaptationSet><SegmentTemplate media="$Number%02d$$$"/>` +
		`<Representation id="1"/><Representation id="2"/></AdaptationSet></Period></MPD>`))
	f.Fuzz(func(t *testing.T, list []byte) {
		for _, trim := range []func([]byte, string, rendition.Archive) []byte{rendition.HLS, rendition.DASH} {
			before := string(list)
			if got := trim(list, "http://a.example/x", odd{list}); len(got) > len(list) || string(list) != before {
				t.Errorf("%q became %q", list, got)
			}
		}
	})
}

// Of a long playlist the first two thousand segments count.
func TestHLSLooksUpSoManySegments(t *testing.T) {
	const master = "#EXTM3U\n#EXT-X-STREAM-INF:a\nlong/i\n#EXT-X-STREAM-INF:b\nshort/i\n"
	var list strings.Builder
	s := shelf{held: []string{"http://a.example/short/a"}}
	for i := range 2001 {
		fmt.Fprintf(&list, "%d\n", i)
		if i < 2000 {
			s.held = append(s.held, fmt.Sprintf("http://a.example/long/%d", i))
		}
	}
	s.texts = map[string]string{"http://a.example/long/i": list.String(), "http://a.example/short/i": "a\nb\n"}
	want := "#EXTM3U\n#EXT-X-STREAM-INF:a\nlong/i\n"
	if diff := cmp.Diff(want, string(rendition.HLS([]byte(master), "http://a.example/m", s))); diff != "" {
		t.Error(diff)
	}
}

// Of many variants the playlists of the first sixty-four are read.
func TestHLSReadsSoManyPlaylists(t *testing.T) {
	for n, alone := range map[int]bool{64: true, 65: false} {
		master, s := "#EXTM3U\n", shelf{texts: map[string]string{}, held: []string{fmt.Sprintf("http://a.example/%d/0.ts", n-1)}}
		for i := range n {
			master += fmt.Sprintf("#EXT-X-STREAM-INF:a\n%d/i\n", i)
			s.texts[fmt.Sprintf("http://a.example/%d/i", i)] = "0.ts\n1.ts\n"
		}
		want := master
		if alone {
			want = fmt.Sprintf("#EXTM3U\n#EXT-X-STREAM-INF:a\n%d/i\n", n-1)
		}
		if diff := cmp.Diff(want, string(rendition.HLS([]byte(master), "http://a.example/m", s))); diff != "" {
			t.Errorf("%d: %s", n, diff)
		}
	}
}

// A description in which elements are nested deeper than in any presentation stays as it is.
func TestDASHOfSoManyLevels(t *testing.T) {
	const base, one, two = "http://a.example/m.mpd", "<BaseURL>1.mp4</BaseURL>", "<BaseURL>2.mp4</BaseURL>"
	for depth, trimmed := range map[int]bool{60: true, 61: true, 62: false, 63: false} {
		list := "<MPD><Period><AdaptationSet>" + representation("1", one) + representation("2", two) + "</AdaptationSet>" +
			strings.Repeat("<X>", depth) + strings.Repeat("</X>", depth) + "</Period></MPD>"
		if got := rendition.DASH([]byte(list), base, holding("http://a.example/1.mp4")); (len(got) < len(list)) != trimmed {
			t.Errorf("%d levels: trimmed? %t", depth+2, !trimmed)
		}
	}
}
