package catalogue_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/catalogue"
)

func entries(n int) (out []catalogue.Entry) {
	for i := range n {
		out = append(out, catalogue.Entry{
			Key: fmt.Sprintf("org,example)/%05d/page", i), URL: fmt.Sprintf("http://www.example.org/%05d/Page", i),
			Captures: i, Versions: 1 + i%4, Changed: 20140101000000, First: 20100101000000, Last: 20150101000000,
			Status: 200 + i%5, MIME: fmt.Sprintf("text/x-%d", i%7), Bytes: int64(i) << 33, Sum: uint64(i) << 60,
			Began: []int{2010, 2010, 2014}[:1+i%3],
		})
	}
	return out
}

func packed(list []catalogue.Entry) *catalogue.Catalogue {
	var b catalogue.Builder
	for i := range list {
		b.Add(&list[i])
	}
	return b.Done()
}

// What is packed comes out as it went in, by its number, by a range of keys, and all in order.
func TestEntriesComeOutAsTheyWentIn(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 64, 1000} {
		list := entries(n)
		c := packed(list)
		if c.Len() != n {
			t.Fatalf("%d entries of %d", c.Len(), n)
		}
		next := 0
		for i, e := range c.All() {
			if i != next || !reflect.DeepEqual(*e, list[i]) {
				t.Fatalf("entry %d of %d is number %d: %+v", next, n, i, e)
			}
			if at := c.At(i); !reflect.DeepEqual(at, list[i]) {
				t.Errorf("entry %d by its number: %+v", i, at)
			}
			next++
		}
		if next != n {
			t.Errorf("%d of %d entries were yielded", next, n)
		}
	}
}

func TestFactsAreEntriesWithoutTexts(t *testing.T) {
	list := entries(40)
	want := list[35]
	want.Key, want.URL, want.Began = "", "", nil
	if got := packed(list).Facts(35); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

func TestARangeOfKeys(t *testing.T) {
	list := entries(200)
	c := packed(list)
	for _, test := range []struct {
		from, to string
		first, n int
	}{
		{"", "", 0, 200},
		{list[0].Key, "", 0, 200},
		{list[31].Key, list[33].Key, 31, 2},
		{list[32].Key, list[64].Key, 32, 32},
		{list[63].Key + "a", "", 64, 136},
		{"org,example*", "", 0, 0}, // behind all of them
		{"a", "b", 0, 0},
	} {
		var got []int
		for i := range c.Between(test.from, test.to) {
			got = append(got, i)
		}
		if len(got) != test.n || test.n > 0 && (got[0] != test.first || got[test.n-1] != test.first+test.n-1) {
			t.Errorf("from %q to %q: %v", test.from, test.to, got)
		}
	}
}

// Numbers that archives make up stay in bounds, and don't get into those of others.
func TestNumbersOutOfBounds(t *testing.T) {
	c := packed([]catalogue.Entry{
		{Key: "a", Status: -1, Captures: math.MaxInt64, Began: []int{1}},
		{Key: "b", Status: 1 << 20, MIME: strings.Repeat("x", 100)},
	})
	a, b := c.At(0), c.At(1)
	if a.Status != 0 || a.Captures != math.MaxUint32 || b.Status != math.MaxUint16 || !slices.Equal(a.Began, []int{1}) || len(b.MIME) != 100 {
		t.Errorf("%+v %+v", a, b)
	}
}

// More media types than have numbers cost the last of them their names, and nothing else.
func TestVeryManyMediaTypes(t *testing.T) {
	var b catalogue.Builder
	for i := range math.MaxUint16 + 10 {
		b.Add(&catalogue.Entry{Key: fmt.Sprintf("%06d", i), MIME: fmt.Sprint("x/", i)})
	}
	c := b.Done()
	if first, last := c.At(1), c.At(c.Len()-1); first.MIME != "x/1" || last.MIME != "" {
		t.Errorf("%q and %q", first.MIME, last.MIME)
	}
}
