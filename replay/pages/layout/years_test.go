package layout

import "testing"

// A bar is high by the square root of its share, and of some height if there is anything.
func TestBarsOfYears(t *testing.T) {
	for _, tt := range []struct {
		n, most int
		want    string
	}{
		{0, 9, ""}, {9, 9, "M2 32v-32h16v32z"}, {4, 16, "M2 32v-16h16v16z"}, {1, 100_000, "M2 32v-3h16v3z"}, {1, 0, "M2 32v-32h16v32z"},
	} {
		if got := YearPath(tt.n, tt.most, 2); got != tt.want {
			t.Errorf("%d of %d: %q, want %q", tt.n, tt.most, got, tt.want)
		}
	}
	if got := MostIn([]YearBar{{Captures: 3}, {Captures: 7}, {Captures: 5}}); got != 7 || MostIn(nil) != 0 {
		t.Errorf("the most are %d", got)
	}
}
