package opensearch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
)

// Whoever took the lease has it, even if the engine's answer was lost and it refuses the next attempt.
func TestALeaseTakenWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	type failure = func(http.ResponseWriter, *http.Request, string)
	for name, other := range map[string]bool{"its own": false, "that of another process": true} {
		taken := `{"by":"another","until":0}`
		take := func(w http.ResponseWriter, _ *http.Request, body string) {
			if !other {
				taken = body
			}
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		tell := func(w http.ResponseWriter, _ *http.Request, _ string) {
			_, _ = io.WriteString(w, fmt.Sprintf(`{"found":true,"_source":%s}`, taken))
		}
		x, _ := fails(t, []failure{says(http.StatusNotFound, `{"found":false}`), take, says(http.StatusConflict, `{}`), tell}...)
		if err := (leasing{x}).take(t.Context(), false); other != errors.Is(err, ErrLeased) || !other && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
