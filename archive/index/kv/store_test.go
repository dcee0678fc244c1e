package kv_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
)

func TestBehind(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string]string{
		"a": "b", "ab": "ac", "a\xff": "b", "a\xff\xff": "b", "a\xfe": "a\xff", "\x00": "\x01", "": "", "\xff": "", "\xff\xff": "",
	} {
		if got := kv.AfterPrefix([]byte(prefix)); string(got) != want || (got == nil) != (want == "") {
			t.Errorf("%q: %q, want %q", prefix, got, want)
		}
	}
}

func TestEach(t *testing.T) {
	t.Parallel()
	s := kvtest.NewFaulty(kvtest.NewMemory())
	err := s.Update(t.Context(), func(txn kv.Txn) (err error) {
		for _, key := range []string{"a1", "a2", "a3", "b1"} {
			err = errors.Join(err, txn.Set([]byte(key), []byte("value")))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	for _, tt := range []struct {
		name, from, want string
		reverse          bool
		stopAt           string
		faultAt          int
		err              error
	}{
		{"all", "a", "a1 a2 a3", false, "", 0, nil},
		{"from one on", "a2", "a2 a3", false, "", 0, nil},
		{"backwards", "a2", "a2 a1", true, "", 0, nil},
		{"up to one", "a", "a1 a2", false, "a2", 0, stop},
		{"up to a fault", "a", "a1", false, "", 3, kvtest.ErrFault}, // the view, its cursor's start and step
	} {
		s.FailAt(tt.faultAt)
		var got []string
		err := s.View(t.Context(), func(snap kv.Snapshot) error {
			return kv.Each(snap, kv.Range{Prefix: []byte("a"), Reverse: tt.reverse}, []byte(tt.from), func(c kv.Cursor) error {
				if got = append(got, string(c.Key())); string(c.Key()) == tt.stopAt {
					return stop
				}
				return nil
			})
		})
		if all := strings.Join(got, " "); !errors.Is(err, tt.err) || all != tt.want {
			t.Errorf("%s: %s, %v; want %s after %q", tt.name, all, err, tt.want, s.Steps())
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	s := kvtest.NewMemory()
	err := s.Update(t.Context(), func(txn kv.Txn) error {
		return errors.Join(kv.SetJSON(txn, []byte("one"), []int{1}), txn.Set([]byte("bad"), []byte("{")))
	})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]struct{ found, wrong bool }{"one": {true, false}, "none": {false, false}, "bad": {false, true}} {
		var into []int
		found, err := kv.GetJSON(t.Context(), s, []byte(key), &into)
		if found != want.found || (err != nil) != want.wrong || found && !slices.Equal(into, []int{1}) {
			t.Errorf("%s: %t, %v, %v", key, found, into, err)
		}
	}
	if err := s.Update(t.Context(), func(txn kv.Txn) error { return kv.SetJSON(txn, nil, func() {}) }); err == nil {
		t.Error("what JSON can't say was stored")
	}
}
