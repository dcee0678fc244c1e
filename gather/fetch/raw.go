package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/memento"
)

// A form is one way to request a memento as it was captured.
type form struct {
	uri    string
	prefer string // value of the Prefer field (RFC 7240), "" without one
}

// uriMPattern matches the URI-Ms of archives whose addresses are prefix, ts14 and URI-R: Wayback, OpenWayback, pywb, varve.
var uriMPattern = regexp.MustCompile(`^(https?://[^?#]*?/)(\d{14})(?:[a-z]{2,3}_)?/(.+)$`)

// forms returns the ways to request a memento, best first: the modifier id_ if the URI-M has the form for it, then the preferences
// of pywb and varve, and those proposed for all archives (https://mementoweb.github.io/rfc-extensions/raw-mementos/).
func forms(urim string) []form {
	var f []form
	if m := uriMPattern.FindStringSubmatch(urim); m != nil {
		f = append(f, form{uri: m[1] + m[2] + "id_/" + m[3]})
	}
	return append(f, form{urim, "raw"}, form{urim, "original-content, original-links, original-headers"})
}

// An answer is a memento as it was captured.
type answer struct {
	*http.Response
	form form
	body io.Reader // in the content coding that the crawler received
}

// errElsewhen says that the archive only has a memento at another datetime.
const errElsewhen = sentinel.Error("the archive answers with another memento")

// raw requests a memento in each form until one returns it as captured. The caller closes the answer's body.
func raw(ctx context.Context, web Web, m *Found) (*answer, error) {
	var failures []error
	for _, f := range forms(m.URIM) {
		a, err := ask(ctx, web, m, f)
		if err == nil {
			return a, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failures = append(failures, err)
		var rewritten *rewrittenError
		if !errors.As(err, &rewritten) { // the other forms would not help
			break
		}
	}
	return nil, failures[len(failures)-1]
}

// ask requests a memento in one form.
func ask(ctx context.Context, web Web, m *Found, f form) (_ *answer, err error) {
	// Archives decode a capture for clients that don't accept its coding.
	head := http.Header{"Accept": {"*/*"}, "Accept-Encoding": {"gzip, deflate, br"}}
	if f.prefer != "" {
		head.Set("Prefer", f.prefer)
	}
	got, err := get(ctx, web, f.uri, head, isMemento)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			got.Body.Close()
		}
	}()
	if err := isWanted(got, m); err != nil {
		return nil, err
	}
	a := &answer{Response: got, form: f}
	if a.body, err = original(got, m, f.isDeclared(got)); err != nil {
		return nil, err
	}
	return a, nil
}

// isDeclared reports whether the archive declared the answer to be as captured: by the form of the URI-M, or by the preference in
// Preference-Applied.
func (f form) isDeclared(got *http.Response) bool {
	first, _, _ := strings.Cut(f.prefer, ",") // "" is in any
	return strings.Contains(got.Header.Get("Preference-Applied"), first)
}

// isMemento reports whether an answer is a memento (RFC 7089 §2.1.1), which may be a captured redirect.
func isMemento(got *http.Response) bool { return mementoTime(got) != 0 }

func mementoTime(got *http.Response) cdx.Timestamp {
	t, err := memento.ParseAcceptDatetime(got.Header.Get("Memento-Datetime"))
	if err != nil {
		return 0
	}
	return t
}

func isWanted(got *http.Response, m *Found) error {
	t := mementoTime(got)
	if t == 0 {
		return fmt.Errorf("%s: answers %s without a Memento-Datetime", got.Request.URL, got.Status)
	}
	if t != m.Time {
		return fmt.Errorf("%s: %w, of %s", m.URIM, errElsewhen, memento.FormatDatetime(t))
	}
	return nil
}
