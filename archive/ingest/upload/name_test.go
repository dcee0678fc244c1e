package upload

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/varve-archive/varve/archive/warc"
)

func TestName(t *testing.T) {
	for _, tt := range []struct {
		name, said string
		format     warc.Format
		want       string
	}{
		{"a name as it should be", "river-2017.warc.gz", warc.WARCGzip, "river-2017.warc.gz"},
		{"the type is what the bytes are", "river.warc.gz", warc.WARC, "river.warc"},
		{"… though the name says nothing", "river", warc.WARCZstd, "river.warc.zst"},
		{"… or something else", "river.zip", warc.WACZ, "river.wacz"},
		{"… or too much", "river.warc.gz.gz", warc.WARCGzip, "river.warc.gz"},
		{"any extension stays in the name", "river.html", warc.WARC, "river.html.warc"},
		{"capitals", "RIVER.WARC.GZ", warc.ARCGzip, "RIVER.arc.gz"},
		{"a path", "/etc/cron.d/river.warc", warc.WARC, "river.warc"},
		{"a path upwards", "../../river.warc", warc.WARC, "river.warc"},
		{"a path of Windows", `C:\temp\..\river.warc`, warc.WARC, "river.warc"},
		{"only a path", "../", warc.WARC, "upload.warc"},
		{"nothing", "", warc.WACZ, "upload.wacz"},
		{"dots", "...", warc.WARC, "upload.warc"},
		{"only an extension", ".warc.gz", warc.WARCGzip, "upload.warc.gz"},
		{"a hidden file", ".river.warc", warc.WARC, "river.warc"},
		{"an option", "--data.warc", warc.WARC, "data.warc"},
		{"spaces", " rivers of  the north.warc ", warc.WARC, "rivers_of__the_north.warc"},
		{"what is special to shells, and to paths into a WACZ", "a;rm -rf $(x)#b|c*.wacz", warc.WACZ, "a_rm_-rf___x__b_c_.wacz"},
		{"a line end and a zero", "a\n\x00b.warc", warc.WARC, "ab.warc"},
		{"what turns the direction of writing", "a\u202ecraw.exe", warc.WARC, "acraw.exe.warc"},
		{"letters of any script", "رود-۲۰۱۷.warc", warc.WARC, "رود-۲۰۱۷.warc"},
		{"one form of Unicode", "u\u0308ber.warc", warc.WARC, "\u00fcber.warc"},
		{"bytes that are no text", "a\xff\xfeb.warc", warc.WARC, "a_b.warc"},
		{"a device of Windows", "con.warc.gz", warc.WARCGzip, "_con.warc.gz"},
		{"… by number, from nought", "COM0.warc", warc.WARC, "_COM0.warc"},
		{"… to nine", "lpt9.warc", warc.WARC, "_lpt9.warc"},
		{"… and with no number", "COMB.warc", warc.WARC, "COMB.warc"},
		{"… nor another word with one", "abc1.warc", warc.WARC, "abc1.warc"},
		{"… nor with a sign", "COM-.warc", warc.WARC, "COM-.warc"},
		{"… with something behind it", "LPT1.old.warc", warc.WARC, "_LPT1.old.warc"},
		{"… and what only begins so", "console.warc", warc.WARC, "console.warc"},
		{"dots at the end", "a...warc", warc.WARC, "a.warc"},
		{"the sign of a file that is coming in", ".incoming-00000000-1", warc.WARC, "incoming-00000000-1.warc"},
		{"too long", strings.Repeat("a", 1000) + ".warc", warc.WARC, strings.Repeat("a", 120) + ".warc"},
		{"as long as it may be", strings.Repeat("a", 120) + ".warc", warc.WARC, strings.Repeat("a", 120) + ".warc"},
		{"… of longer characters", strings.Repeat("ж", 60), warc.WARC, strings.Repeat("ж", 60) + ".warc"},
		{"one byte too long", strings.Repeat("a", 121) + ".warc", warc.WARC, strings.Repeat("a", 120) + ".warc"},
		{"… within a character", "a" + strings.Repeat("ж", 1000), warc.WARC, "a" + strings.Repeat("ж", 59) + ".warc"},
		{"too long, between characters", strings.Repeat("ж", 1000), warc.WARC, strings.Repeat("ж", 60) + ".warc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Name(tt.said, tt.format); got != tt.want {
				t.Errorf("%q as %v is %q, want %q", tt.said, tt.format, got, tt.want)
			}
		})
	}
}

func TestNumbered(t *testing.T) {
	for name, want := range map[string]string{"a.warc.gz": "a-2.warc.gz", "a.b.wacz": "a.b-2.wacz", "a": "a-2"} {
		if got := numbered(name, "2"); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Whatever a file is called, its name is one of a stored file in the folder itself, and cleaning it again changes nothing.
func FuzzName(f *testing.F) {
	for _, said := range []string{"a.warc", "../x", "con", "\xff", "a\u0301", ".warc.gz.", "a.gz.zip", "x.wacz#y.warc", "ٍ.warc"} {
		f.Add(said, uint8(warc.WARCGzip))
	}
	f.Fuzz(func(t *testing.T, said string, kind uint8) {
		format := warc.Format(kind % uint8(warc.CDX))
		name := Name(said, format)
		ext := extensionOf(format)
		switch base, ok := strings.CutSuffix(name, ext); {
		case !ok || base == "" || !utf8.ValidString(name) || len(name) > 140 || !norm.NFC.IsNormalString(name):
			t.Errorf("%q", name)
		case name != filepath.Base(name) || strings.ContainsAny(name, "/\\#:*?\"<>|\x00 ") || name[0] == '.' || name[0] == '-':
			t.Errorf("%q", name)
		case isDevice(name) || strings.HasSuffix(name, "."):
			t.Errorf("%q", name)
		case Name(name, format) != name:
			t.Errorf("%q, then %q", name, Name(name, format))
		}
	})
}
