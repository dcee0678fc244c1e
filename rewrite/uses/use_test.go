package uses

import "testing"

func TestEveryUseIsParsedFromItsModifier(t *testing.T) {
	t.Parallel()
	for u := range Use(count) {
		if got, ok := Parse(u.String()); !ok || got != u {
			t.Errorf("Parse(%q) = %v, %v; want %v", u.String(), got, ok, u)
		}
	}
	if _, ok := Parse("xx_"); ok {
		t.Error("xx_ is known")
	}
}
