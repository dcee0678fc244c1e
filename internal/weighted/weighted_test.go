package weighted

import "testing"

func length(s string) int { return len(s) }

func TestWeightsBoundTheCache(t *testing.T) {
	c := New[int](10, length)
	for _, step := range []struct {
		name string
		key  int
		add  string
		kept []int
		held int
	}{
		{"the first", 1, "aaaa", []int{1}, 4},
		{"beside it", 2, "bbbbbb", []int{1, 2}, 10},
		{"one too many drops the oldest", 3, "c", []int{2, 3}, 7},
		{"in place of the one before", 2, "bb", []int{2, 3}, 3},
		{"heavier than all together", 4, "dddddddddddd", []int{4}, 12},
		{"the heavy one goes with the next", 5, "e", []int{5}, 1},
	} {
		c.Add(step.key, step.add)
		if c.Held() != step.held || c.Len() != len(step.kept) {
			t.Errorf("%s: %d values that weigh %d, want %d that weigh %d", step.name, c.Len(), c.Held(), len(step.kept), step.held)
		}
		for _, k := range step.kept {
			if _, ok := c.lru.Peek(k); !ok {
				t.Errorf("%s: %d is not kept", step.name, k)
			}
		}
	}
}

func TestWhatIsAskedForStays(t *testing.T) {
	c := New[int](2, length)
	c.Add(1, "a")
	c.Add(2, "b")
	if v, ok := c.Get(1); !ok || v != "a" {
		t.Fatalf("got %q, %v", v, ok)
	}
	c.Add(3, "c")
	if _, ok := c.Get(2); ok {
		t.Error("the one that nobody asked for stayed")
	}
	if _, ok := c.Get(1); !ok {
		t.Error("the one that was asked for went")
	}
}

func TestWhatIsRemovedWeighsNothing(t *testing.T) {
	c := New[int](10, length)
	c.Add(1, "aaaa")
	c.Add(2, "bb")
	for range 2 {
		if c.Remove(1); c.Held() != 2 || c.Len() != 1 {
			t.Errorf("%d values that weigh %d", c.Len(), c.Held())
		}
	}
}
