package record

import (
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
)

// What a page sends may be hostile, so the work is bounded whatever it repeats.
func TestTimeGrowsWithTheForm(t *testing.T) {
	t.Parallel()
	for kind, units := range map[string][]string{
		"application/x-www-form-urlencoded": {"pwd", "pin=1&", "pin:", "pin ", "%70in=&", "a"},
		"application/json": {
			`"`, `"\\"`, `"pin":`, `"pin":1,`, `"a":"pwd",`, `{"a":`, `"name":"a",`, "pwd", ` `,
		},
		"multipart/form-data": {
			"content-disposition: name=a", "content-disposition: name=pin\r\n\r\n", "content-disposition: name=a\r\n\r\nb\r\n--", "\r\n--", "\n",
		},
	} {
		for _, unit := range units {
			for _, before := range []string{"", `{"a":"`, "a=", "content-disposition: name=a\r\n\r\n"} {
				growth.Linear(t, kind+" "+before+unit, func(n int) []byte { return []byte(before + strings.Repeat(unit, n)) }, func(body []byte) {
					RedactBody(body, http.Header{"Content-Type": {kind}})
				})
			}
		}
	}
}
