package sandbox

import "testing"

func TestCappedKeepsTheBeginning(t *testing.T) {
	c := capped{most: 5}
	for _, s := range []string{"abc", "def", "ghi"} {
		if n, err := c.Write([]byte(s)); n != 3 || err != nil {
			t.Errorf("%s: %d, %v", s, n, err)
		}
	}
	if c.String() != "abcde" {
		t.Error(c.String())
	}
}
