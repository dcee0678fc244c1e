package trec

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// A Topic is a query with its ID.
type Topic struct{ ID, Query string }

// Judgments have the grade of each judged document, by topic. Grades of 0 and less mean that it isn't relevant.
type Judgments map[string]map[string]int

// maxLine bounds the length of a line in bytes.
const maxLine = 1 << 20

// ReadJudgments reads qrels: topic, iteration, document and grade on each line, divided by white space.
func ReadJudgments(r io.Reader) (Judgments, error) {
	out := Judgments{}
	err := eachLine(r, func(n int, line string) error {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			return nil
		}
		if len(fields) != 4 {
			return fmt.Errorf("line %d: want topic, iteration, document and grade", n)
		}
		grade, err := strconv.Atoi(fields[3])
		if err != nil {
			return fmt.Errorf("line %d: the grade %q is no number", n, fields[3])
		}
		if out[fields[0]] == nil {
			out[fields[0]] = map[string]int{}
		}
		out[fields[0]][fields[2]] = grade
		return nil
	})
	return out, err
}

func eachLine(r io.Reader, each func(n int, line string) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if err := each(n, lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Tags of topics. Most files don't close the tags of fields.
var (
	tag    = regexp.MustCompile(`^\s*<(/?[a-z]+)>\s*(.*?)\s*(?:</[a-z]+>)?\s*$`)
	number = regexp.MustCompile(`^(?i:number:)?\s*(\S+)`)
	label  = regexp.MustCompile(`^(?i:topic:)\s*`)
)

// ReadTopics reads topics. They are enclosed in <top> and </top>, of which it takes the number (<num>) and the title, or are lines of a
// number and a query, separated by a tab or a colon.
func ReadTopics(r io.Reader) ([]Topic, error) {
	t := topics{seen: map[string]bool{}}
	if err := eachLine(r, t.line); err != nil {
		return nil, err
	}
	if t.inside {
		return nil, fmt.Errorf("the last topic has no </top>")
	}
	return t.list, nil
}

type topics struct {
	list   []Topic
	seen   map[string]bool
	inside bool
	field  string
	next   Topic
}

func (t *topics) line(n int, line string) error {
	m := tag.FindStringSubmatch(line)
	switch {
	case m == nil && t.inside:
		t.text(line)
		return nil
	case m == nil:
		return t.short(n, line)
	}
	switch t.field = m[1]; t.field {
	case "top":
		t.inside, t.next = true, Topic{}
	case "/top":
		t.inside = false
		return t.add(n, t.next)
	default:
		t.text(m[2])
	}
	return nil
}

// text appends text to the current field.
func (t *topics) text(s string) {
	switch t.field {
	case "num":
		if m := number.FindStringSubmatch(strings.TrimSpace(s)); m != nil && t.next.ID == "" {
			t.next.ID = m[1]
		}
	case "title":
		t.next.Query = strings.TrimSpace(t.next.Query + " " + label.ReplaceAllString(strings.TrimSpace(s), ""))
	}
}

func (t *topics) short(n int, line string) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	at := strings.IndexAny(line, "\t:")
	if at < 0 {
		return fmt.Errorf("line %d: want a number, a tab or a colon, and a query", n)
	}
	return t.add(n, Topic{strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+1:])})
}

func (t *topics) add(n int, topic Topic) error {
	switch {
	case topic.ID == "" || topic.Query == "":
		return fmt.Errorf("line %d: the topic has no number or no query", n)
	case t.seen[topic.ID]:
		return fmt.Errorf("line %d: the topic %s is there twice", n, topic.ID)
	}
	t.seen[topic.ID] = true
	t.list = append(t.list, topic)
	return nil
}
