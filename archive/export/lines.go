package export

import (
	"bufio"
	"context"
	"encoding/json"
	"io"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// CDXJ writes the index lines of the selected captures, sorted.
func (j *Job) CDXJ(ctx context.Context, w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for c, err := range j.captures(ctx) {
		if err != nil {
			return err
		}
		line = append(cdx.AppendCDXJ(line[:0], c, -1, ""), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// A version is a line of JSONL: a run of captures of a URI-R with the same visible text.
type version struct {
	URL      string  `json:"url"`
	Datetime string  `json:"datetime"` // of the capture that the text is from, like First
	First    string  `json:"first"`
	Last     string  `json:"last"`
	Captures int     `json:"captures"`
	Kind     string  `json:"kind"`
	Status   int     `json:"status"`
	MIME     string  `json:"mime"`
	Digest   string  `json:"digest"`
	Redirect *string `json:"redirect"`
	Title    *string `json:"title"` // null, like text, if there is no text: in a picture, a redirect
	Text     *string `json:"text"`
}

// JSONL writes a line for each version, at level text, that was valid in the selected time. Responses to requests other than GET are left
// out.
func (j *Job) JSONL(ctx context.Context, w io.Writer) error {
	if err := j.count(ctx); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for _, span := range j.spans {
		for key, err := range j.Archive.Index.Keys(ctx, j.Coll, span.From, span.To) {
			if err != nil {
				return err
			}
			if surt.HasMethod(key) {
				continue
			}
			if err := j.versions(ctx, key, lines); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

func (j *Job) versions(ctx context.Context, key string, lines *json.Encoder) error {
	tl, err := j.Archive.Timelines.Read(ctx, j.Coll, key)
	if err != nil {
		return err
	}
	ranges, err := tl.Ranges(change.LevelText)
	if err != nil {
		return err
	}
	for i := range ranges {
		r := &ranges[i]
		if r.Last < j.From || j.To != 0 && r.First > j.To {
			continue
		}
		v, err := j.version(ctx, r, &tl.Captures[r.FirstIndex])
		if err == nil {
			err = lines.Encode(v)
		}
		if err := j.problem(ctx, err); err != nil {
			return err
		}
	}
	for i := range tl.Captures {
		if t := tl.Captures[i].Time; t >= j.From && (j.To == 0 || t <= j.To) {
			j.Progress.Captures.Add(1)
		}
	}
	return nil
}

// version returns the line of a validity range. c is its first capture.
func (j *Job) version(ctx context.Context, r *change.Range, c *cdx.Capture) (*version, error) {
	v := &version{
		URL: c.URL, Datetime: r.First.String(), First: r.First.String(), Last: r.Last.String(), Captures: r.Captures,
		Kind: r.Kind.String(), Status: r.Status, MIME: c.MIME, Digest: c.Digest,
	}
	if r.Redirect != "" {
		v.Redirect = &r.Redirect
	}
	if c.Text == 0 {
		return v, nil
	}
	text, err := j.Archive.Text(ctx, c)
	if err != nil {
		return nil, err
	}
	whole := text.String()
	v.Title, v.Text = &text.Title, &whole
	return v, nil
}
