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
		{"of wide characters", "utf-16le", "B0", "D0"},
		{"by a byte order mark", "", "\xfe\xff\x30\x42", "\xfe\xff\x30\x44"},
		{"what the charset lacks becomes a reference", "iso-2022-jp", "smile", "&#9786;"},
		{"UTF-8 needs no conversion", "utf-8", "あ", "い"},
		{"nor what looks like ASCII", "windows-1252", "\xe4 あ", "\xe4 い"},
		{"bytes that aren't of the charset stay", "iso-2022-jp", hi + "\xff", hi + "\xff"},
		{"half a character too", "utf-16le", "B0x", "B0x"},
		{"nothing", "iso-2022-jp", "", ""},
	} {
		var out strings.Builder
		if err := Transcode(&out, strings.NewReader(tt.in), tt.declared, NeverASCII, replace); err != nil || out.String() != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, out.String(), err, tt.want)
		}
	}
	broken, failed := errors.New("broken"), errors.New("failed")
	for _, in := range []string{"", hi, strings.Repeat(hi, SniffLen)} {
		var out strings.Builder
		r := io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken))
		if err := Transcode(&out, r, "iso-2022-jp", NeverASCII, replace); err != broken || out.String() != in {
			t.Errorf("of a reader that breaks behind %d bytes: %d bytes, %v", len(in), out.Len(), err)
		}
	}
	for declared, must := range map[string]bool{"iso-2022-jp": true, "utf-8": false} {
		if err := Transcode(io.Discard, strings.NewReader(hi), declared, NeverASCII, func(_ io.Writer, _ io.Reader, c Info) error {
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
	for name, want := range map[string][2]bool{
		"utf-16le": {true, true}, "utf-16be": {true, true}, "iso-2022-jp": {true, true}, "shift_jis": {false, true}, "big5": {false, true},
		"gbk": {false, true}, "gb18030": {false, true}, "euc-jp": {false, false}, "utf-8": {false, false}, "windows-1252": {false, false},
	} {
		if got := [2]bool{NeverASCII(name), DoubleByteUnsafe(name)}; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
