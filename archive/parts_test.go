package archive_test

import (
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/warc"
)

func TestParseContentRange(t *testing.T) {
	tests := []struct {
		value string
		want  archive.Span
		ok    bool
	}{
		{"bytes 0-4/10", archive.Span{First: 0, Last: 4, Total: 10}, true},
		{"bytes 9-9/10", archive.Span{First: 9, Last: 9, Total: 10}, true},
		{" Bytes  0-4/10 ", archive.Span{First: 0, Last: 4, Total: 10}, true},
		{"bytes 0 - 4 / 10", archive.Span{First: 0, Last: 4, Total: 10}, true},
		{"bytes 5-4/10", archive.Span{}, false},
		{"bytes 0-10/10", archive.Span{}, false},
		{"bytes 0-4/*", archive.Span{}, false},
		{"bytes */10", archive.Span{}, false},
		{"bytes -4/10", archive.Span{}, false},
		{"bytes 0-/10", archive.Span{}, false},
		{"bytes 0-4", archive.Span{}, false},
		{"bytes -1-4/10", archive.Span{}, false},
		{"bytes 0-4/99999999999999999999", archive.Span{}, false},
		{"items 0-4/10", archive.Span{}, false},
		{"", archive.Span{}, false},
	}
	for _, tt := range tests {
		got, ok := archive.ParseContentRange(tt.value)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("%q: %+v, %v", tt.value, got, ok)
		}
	}
}

func TestSpanOfBytes(t *testing.T) {
	tests := []struct {
		span  archive.Span
		whole bool
		has   []bool // the bytes 0 to 3
	}{
		{archive.Span{First: 0, Last: 3, Total: 4}, true, []bool{true, true, true, true}},
		{archive.Span{First: 0, Last: 2, Total: 4}, false, []bool{true, true, true, false}},
		{archive.Span{First: 1, Last: 3, Total: 4}, false, []bool{false, true, true, true}},
		{archive.Span{First: 1, Last: 2, Total: 4}, false, []bool{false, true, true, false}},
	}
	for _, tt := range tests {
		if got := tt.span.Whole(); got != tt.whole {
			t.Errorf("%+v: whole %v", tt.span, got)
		}
		for i, want := range tt.has {
			if got := tt.span.Has(int64(i)); got != want {
				t.Errorf("%+v: has %d: %v", tt.span, i, got)
			}
		}
	}
}

func TestSpanOfAResponse(t *testing.T) {
	tests := []struct {
		name     string
		response archive.Response
		want     archive.Span
		ok       bool
	}{
		{"a whole body", archive.Response{Status: 200, Length: 4}, archive.Span{First: 0, Last: 3, Total: 4}, true},
		{"a body of one byte", archive.Response{Status: 200, Length: 1}, archive.Span{First: 0, Last: 0, Total: 1}, true},
		{"an empty body", archive.Response{Status: 200, Length: 0}, archive.Span{}, false},
		{"a body of unknown length", archive.Response{Status: 200, Length: -1}, archive.Span{}, false},
		{
			"a part",
			archive.Response{Status: 206, Length: 2, Header: warc.Fields{{Name: "Content-Range", Value: "bytes 1-2/9"}}},
			archive.Span{First: 1, Last: 2, Total: 9},
			true,
		},
		{"a part that doesn't say where", archive.Response{Status: 206, Length: 2}, archive.Span{}, false},
		{
			"a part that was cut short",
			archive.Response{Status: 206, Length: 1, Header: warc.Fields{{Name: "Content-Range", Value: "bytes 1-2/9"}}},
			archive.Span{First: 1, Last: 1, Total: 9},
			true,
		},
		{
			"a part of unknown length",
			archive.Response{Status: 206, Length: -1, Header: warc.Fields{{Name: "Content-Range", Value: "bytes 1-2/9"}}},
			archive.Span{First: 1, Last: 2, Total: 9},
			true,
		},
		{
			"a part with nothing",
			archive.Response{Status: 206, Length: 0, Header: warc.Fields{{Name: "Content-Range", Value: "bytes 1-2/9"}}},
			archive.Span{},
			false,
		},
		{
			"a part with more than it says",
			archive.Response{Status: 206, Length: 3, Header: warc.Fields{{Name: "Content-Range", Value: "bytes 1-2/9"}}},
			archive.Span{},
			false,
		},
		{"an error", archive.Response{Status: 404, Length: 4}, archive.Span{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := tt.response.Span(); ok != tt.ok || ok && got != tt.want {
				t.Errorf("%+v, %v", got, ok)
			}
		})
	}
}

const film = "http://a.example/film.mp4"

// piece is the record of the bytes from first to last of a film of total bytes.
func piece(date string, first, last, total int) archivetest.Record {
	const all = "abcdefghijklmnopqrstuvwxyz"
	return archivetest.Record{
		Date: date, URI: film, Status: 206, Body: all[first : last+1],
		Head: fmt.Sprintf("Content-Type: video/mp4\nContent-Range: bytes %d-%d/%d\n", first, last, total),
	}
}

func TestPartFindsTheCaptureWithAByte(t *testing.T) {
	whole := archivetest.Record{Date: "20200101000003", URI: film, Head: "Content-Type: video/mp4\n", Body: "abcdefghij"}
	cutShort := piece("20200101000002", 5, 9, 10)
	cutShort.Body = cutShort.Body[:2]
	failed := archivetest.Record{Date: "20200101000002", URI: film, Status: 416, Body: "no such range"}
	tests := []struct {
		name    string
		records []archivetest.Record // the first is the part at hand
		at      int64
		want    string // the datetime of the part with the byte
	}{
		{"the part itself", []archivetest.Record{piece("20200101000000", 0, 4, 10)}, 4, "20200101000000"},
		{"the next part", []archivetest.Record{piece("20200101000000", 0, 4, 10), piece("20200101000002", 5, 9, 10)}, 5, "20200101000002"},
		{"no part has it", []archivetest.Record{piece("20200101000000", 0, 4, 10)}, 5, ""},
		{
			"the nearest part was cut short before it",
			[]archivetest.Record{piece("20200101000000", 0, 4, 10), cutShort, piece("20200101000009", 5, 9, 10)},
			7, "20200101000009",
		},
		{"a film of another length", []archivetest.Record{piece("20200101000000", 0, 4, 10), piece("20200101000002", 5, 9, 11)}, 5, ""},
		{"the whole film", []archivetest.Record{piece("20200101000000", 0, 4, 10), whole}, 5, "20200101000003"},
		{
			"the nearest of two",
			[]archivetest.Record{piece("20200101000000", 0, 4, 10), piece("20200101000009", 5, 9, 10), whole},
			5, "20200101000003",
		},
		{"an error message has no bytes of it", []archivetest.Record{piece("20200101000000", 0, 4, 10), failed}, 5, ""},
		{
			"a day later", []archivetest.Record{piece("20200101000000", 0, 4, 10), piece("20200102000000", 5, 9, 10)}, 5, "20200102000000",
		},
		{"more than a day later", []archivetest.Record{piece("20200101000000", 0, 4, 10), piece("20200102000001", 5, 9, 10)}, 5, ""},
		{"a body of unknown length", []archivetest.Record{{
			Date: "20200101000000", URI: film, Status: 206, Head: "Content-Type: video/mp4\nContent-Range: bytes 0-4/*\n", Body: "abcde",
		}, whole}, 5, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, shelf := open(t, tt.records...)
			a, err := s.Open(t.Context(), shelf.Capture(t, tt.records[0].Date, film))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			part, err := s.Part(t.Context(), s.Timelines.Of(timelineOf(t, s, film)), a, tt.at)
			if err != nil {
				t.Fatal(err)
			}
			if part == nil {
				if tt.want != "" {
					t.Errorf("nothing, want %s", tt.want)
				}
				return
			}
			defer part.Close()
			if got := part.Capture.Time.String(); got != tt.want {
				t.Errorf("the capture of %s, want %q", got, tt.want)
			}
		})
	}
}

func TestPartOpensOnlySoManyRecords(t *testing.T) {
	for missing, found := range map[int]bool{63: true, 64: false} { // captures that lack the byte, nearest first
		var records []archivetest.Record
		for i := range missing {
			records = append(records, piece(fmt.Sprintf("202001010000%02d", i%60), 0, 4, 10))
			if i >= 60 {
				records[i].Date = fmt.Sprintf("202001010001%02d", i-60)
			}
		}
		records = append(records, piece("20200101003000", 5, 9, 10), piece("20200101003001", 0, 4, 11))
		s, shelf := open(t, records...)
		a, err := s.Open(t.Context(), shelf.Capture(t, records[0].Date, film))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		shelf.Opened.Store(0)
		part, err := s.Part(t.Context(), s.Timelines.Of(timelineOf(t, s, film)), a, 5)
		if err != nil || (part != nil) != found || shelf.Opened.Load() != 64 {
			t.Errorf("%d captures lack the byte: found %v, %d records opened, %v", missing, part != nil, shelf.Opened.Load(), err)
		}
		if part != nil {
			part.Close()
		}
	}
}

func TestPartPassesOverWhatCannotBeRead(t *testing.T) {
	s, shelf := open(t, piece("20200101000000", 0, 4, 10), piece("20200101000002", 5, 9, 10), piece("20200101000003", 5, 9, 10))
	a, err := s.Open(t.Context(), shelf.Capture(t, "20200101000000", film))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	shelf.Break(t, "20200101000002", film)
	part, err := s.Part(t.Context(), s.Timelines.Of(timelineOf(t, s, film)), a, 7)
	if err != nil || part == nil {
		t.Fatal(part, err)
	}
	defer part.Close()
	if got := part.Capture.Time.String(); got != "20200101000003" {
		t.Errorf("the capture of %s", got)
	}
}
