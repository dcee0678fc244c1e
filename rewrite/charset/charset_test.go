package charset

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestDocumentsAreReadAsUTF8AndWrittenAsTheyWere(t *testing.T) {
	const hi, replaced = "\x1b$B$\"\x1b(B", "\x1b$B$$\x1b(B" // い takes the place of あ
	replace := func(w io.Writer, r io.Reader, _ Info) error {
		text, err := io.ReadAll(r)
		_, _ = w.Write(bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("あ"), []byte("い")), []byte("smile"), []byte("☺")))
		return err
	}
	for _, tt := range []struct{ name, declared, in, want string }{
		{"with shift states", "ISO-2022-JP", "a" + hi, "a" + replaced},
		{"as old editors wrote it", "iso-2022-jp", "\x1b$@$\"\x1b(Ja", replaced + "a"},
		{"of which nothing changes", "iso-2022-jp", "\x1b$@$$\x1b(J", replaced},
		{"of wide characters", "utf-16le", "B0", "D0"},
		{"by a byte order mark", "", "\xfe\xff\x30\x42", "\xfe\xff\x30\x44"},
		{"what the charset lacks becomes a reference", "iso-2022-jp", "smile", "&#9786;"},
		{"UTF-8 needs no conversion", "utf-8", "あ", "い"},
		{"nor what looks like ASCII", "windows-1252", "\xe4 あ", "\xe4 い"},
		{"bytes that aren't of the charset are replaced", "iso-2022-jp", hi + "\xff" + hi, replaced + "&#65533;" + replaced},
		{"half a character too", "utf-16le", "B0x", "D0\xfd\xff"},
		{"half a pair of surrogates too", "utf-16be", "\xd8\x00\x30\x42", "\xff\xfd\x30\x44"},
		{"nothing", "iso-2022-jp", "", ""},
	} {
		var out strings.Builder
		if err := Transcode(&out, strings.NewReader(tt.in), tt.declared, replace); err != nil || out.String() != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, out.String(), err, tt.want)
		}
	}
	broken, failed := errors.New("broken"), errors.New("failed")
	for _, n := range []int{0, 1, SniffLen} {
		var out strings.Builder
		r := io.MultiReader(strings.NewReader(strings.Repeat(hi, n)), iotest.ErrReader(broken))
		err := Transcode(&out, r, "iso-2022-jp", replace)
		if text := strings.ReplaceAll(out.String(), "\x1b(B\x1b$B", ""); err != broken || strings.Count(text, "$$") != n {
			t.Errorf("of a reader that breaks behind %d characters: %q, %v", n, text, err)
		}
	}
	for declared, must := range map[string]bool{"iso-2022-jp": true, "utf-8": false} {
		if err := Transcode(io.Discard, strings.NewReader(hi), declared, func(_ io.Writer, _ io.Reader, c Info) error {
			if c.Name != declared || (c.Encoding != nil) != must {
				t.Errorf("%s: %+v", declared, c)
			}
			return failed
		}); err != failed {
			t.Errorf("%s: %v", declared, err)
		}
	}
}

func TestCharsetsWhoseBytesMislead(t *testing.T) {
	for name, want := range map[string]bool{
		"utf-16le": true, "utf-16be": true, "iso-2022-jp": true, "shift_jis": false, "big5": false, "gbk": false, "gb18030": false,
		"euc-jp": false, "utf-8": false, "windows-1252": false,
	} {
		if got := NeverASCII(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestCharactersOfTwoBytesBecomeLetters(t *testing.T) {
	for _, tt := range []struct{ charset, in, want string }{
		{"shift_jis", "'\x95\x5c';", "'é';"},
		{"shift_jis", "'\xb1\\n'", "'\xb1\\n'"}, // kana of one byte
		{"shift_jis", "\x81\x40\x9f\xfc\xe0\x7e\xfc\x80", "éééé"},
		{"shift_jis", "\x80\\\xa0\\\xdf\\\xff\\", "\x80\\\xa0\\\xdf\\\xff\\"},
		{"shift_jis", "\x95'\x95\x7f\x95", "\x95'\x95\x7f\x95"}, // half a character
		{"big5", "'\xa5\x5c'", "'é'"},
		{"gbk", "'\x81\x60'", "'é'"},
		{"gb18030", "\x81\x30\x81\x30\xfe\x7d", "\x81\x30\x81\x30é"},
		{"euc-kr", "\xb1a", "\xb1a"},
		{"windows-1252", "\xe9\\n", "\xe9\\n"},
		{"utf-8", "表", "表"},
	} {
		enc := Sniff([]byte(tt.in), tt.charset).Encoding
		in := []byte(tt.in)
		if got := string(Letters(in, enc)); got != tt.want || string(in) != tt.in {
			t.Errorf("%s %q: %q, want %q; %q is left", tt.charset, tt.in, got, tt.want, in)
		}
	}
}
