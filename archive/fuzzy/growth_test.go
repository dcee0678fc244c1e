package fuzzy

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
)

// What a key means is found in time that grows no faster than the key, whatever it has more of.
func TestMeaningsGrowWithTheirKeys(t *testing.T) {
	for name, unit := range map[string]string{
		"arguments": "&a=b", "sessions": ";jsessionid=0123456789abcdef", "digits": "1", "segments": "/a", "hosts": "com,", "signs": "=",
		"letters": "a", "clocks": "&_=1500000000000", "long arguments": "&" + strings.Repeat("b", 1000),
	} {
		for _, begin := range []string{"org,example)/", "org,example)/a?", "com,youtube)/watch?v=a&", "org,example)/?__wb_method=post&", "com,"} {
			growth.Linear(t, name+" behind "+begin, func(n int) string { return begin + strings.Repeat(unit, n) }, func(key string) {
				Of(key)
				Spans(key)
			})
		}
	}
}
