package push

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// A Ping says that a site has changed.
type Ping struct {
	Name string
	// URLs are those of the site and, if given, of the changed page and of the feed.
	URLs []string
}

// The methods of pings, which have the same answer (weblogs.com).
const (
	simplePing   = "weblogUpdates.ping"
	extendedPing = "weblogUpdates.extendedPing"
)

// maxPing is the largest size of a ping, in bytes.
const maxPing = 64 << 10

// ParsePing parses an XML-RPC call. The error is a message for people.
func ParsePing(r io.Reader) (Ping, error) {
	var call struct {
		XMLName xml.Name `xml:"methodCall"`
		Method  string   `xml:"methodName"`
		Values  []struct {
			Text   string  `xml:",chardata"` // a value without a type is a string
			String *string `xml:"string"`
		} `xml:"params>param>value"`
	}
	limited := &io.LimitedReader{R: r, N: maxPing + 1}
	d := xml.NewDecoder(limited)
	d.CharsetReader = charset.NewReaderLabel
	err := d.Decode(&call)
	if limited.N <= 0 {
		return Ping{}, fmt.Errorf("the call is longer than %d bytes", maxPing)
	}
	if err != nil {
		return Ping{}, fmt.Errorf("it is no call by XML-RPC: %w", err)
	}
	if method := strings.TrimSpace(call.Method); method != simplePing && method != extendedPing {
		return Ping{}, fmt.Errorf("there is no method %.60q, only %s and %s", method, simplePing, extendedPing)
	}
	var texts []string
	for _, v := range call.Values {
		text := v.Text
		if v.String != nil {
			text = *v.String
		}
		texts = append(texts, strings.TrimSpace(text))
	}
	if len(texts) < 2 || texts[1] == "" {
		return Ping{}, errors.New("a ping has the name of a site and its address")
	}
	p := Ping{Name: texts[0]}
	for _, t := range texts[1:min(len(texts), 4)] {
		if strings.HasPrefix(t, "http://") || strings.HasPrefix(t, "https://") {
			p.URLs = append(p.URLs, t)
		}
	}
	if len(p.URLs) == 0 {
		return Ping{}, fmt.Errorf("%.100q: want an address with http or https", texts[1])
	}
	return p, nil
}

func answerPing(w io.Writer, message string, failed bool) error {
	type member struct {
		Name  string `xml:"name"`
		Value any    `xml:"value"`
	}
	type boolean struct {
		Value int `xml:"boolean"`
	}
	flag := boolean{}
	if failed {
		flag.Value = 1
	}
	var response struct {
		XMLName xml.Name `xml:"methodResponse"`
		Members []member `xml:"params>param>value>struct>member"`
	}
	response.Members = []member{{"flerror", flag}, {"message", message}}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(response)
}
