package e2e

import (
	"encoding/base64"
	bytesOf "encoding/binary"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// long is a text of some 100 KB.
func long(word string) string { return strings.Repeat(word+" ", 100_000/(len(word)+1)) }

func capturedAt(day string) time.Time {
	t, err := time.Parse("20060102150405", day)
	if err != nil {
		panic(err)
	}
	return t
}

// protobufBody is a message with a text, a time and whatever else.
func protobufBody(text string, at time.Time, more ...string) string {
	b := protowire.AppendTag(nil, 2, protowire.VarintType)
	b = protowire.AppendVarint(b, uint64(at.UnixMilli()))
	for i, s := range append([]string{text}, more...) {
		b = protowire.AppendTag(b, protowire.Number(3+i), protowire.BytesType)
		b = protowire.AppendString(b, s)
	}
	return string(b)
}

func grpcText(message string) string {
	return base64.StdEncoding.EncodeToString(append(bytesOf.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...))
}

func multipartBody(boundary string, fields ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(fields); i += 2 {
		fmt.Fprintf(&b, "--%s\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", boundary, fields[i], fields[i+1])
	}
	return b.String() + "--" + boundary + "--\r\n"
}

// Bodies of which keys have the beginning only are compared as a whole: the same one is found, then one that differs in what
// varies, and never one that asks for something else.
func TestLongBodiesFindTheirOwnAnswers(t *testing.T) {
	t.Parallel()
	const uri, json, form, protobuf = "http://api.example/api", "application/json", "application/x-www-form-urlencoded",
		"application/x-protobuf"
	const text = "application/grpc-web-text"
	then, now := capturedAt(day), time.Now()
	graph := func(id int, at time.Time) string {
		return `{"requestId":"` + strconv.FormatInt(at.UnixNano(), 36) + `","query":"query { ` + long("name") + ` ` +
			`}","variables":{"id":` + strconv.Itoa(id) + `}}`
	}
	part := func(boundary, item string, at time.Time) (kind, body string) {
		return "multipart/form-data; boundary=" + boundary, multipartBody(boundary, "timestamp", strconv.FormatInt(at.UnixMilli(), 10),
			"text", long("letter"), "item", item)
	}
	partThen, partBody := part("aaa", "7", then)
	partNow, partAsked := part("bbbbbb", "7", now)
	_, partOther := part("bbbbbb", "8", now)
	tests := []struct {
		name                              string
		kind, sent, asked, other, kindNow string // other asks for something else
	}{
		{name: "GraphQL", kind: json, sent: graph(7, then), asked: graph(7, now), other: graph(8, now)},
		{
			name: "a list in JSON", kind: json, sent: `{"ids":[` + long(`"a",`) + `"x"],"nonce":"abcdef"}`,
			asked: `{"ids":[` + long(`"a",`) + `"x"],"nonce":"zz"}`,
			other: `{"ids":[` + long(`"a",`) + `"y"],"nonce":"abcdef"}`,
		},
		{
			name: "a form", kind: form, sent: "_wpnonce=0a1b2c3d4e&text=" + long("word") + "&id=7",
			asked: "_wpnonce=0a1b2c&text=" + long("word") + "&id=7",
			other: "_wpnonce=0a1b2c3d4e&text=" + long("word") + "&id=8",
		},
		{name: "parts", kind: partThen, sent: partBody, kindNow: partNow, asked: partAsked, other: partOther},
		{
			name: "protocol buffers", kind: protobuf, sent: protobufBody(long("rose"), then), asked: protobufBody(long("rose"), now),
			other: protobufBody(long("rose")+"s", now),
		},
		{
			name: "gRPC-Web as text", kind: text, sent: grpcText(protobufBody("rose", then)), asked: grpcText(protobufBody("rose", now)),
			other: grpcText(protobufBody("Rose", now)),
		},
		{
			name: "long gRPC-Web as text", kind: text, sent: grpcText(protobufBody(long("rose"), then)),
			asked: grpcText(protobufBody(long("rose"), now)),
			other: grpcText(protobufBody(long("Rose"), now)),
		},
		{name: "long bytes", kind: "application/octet-stream", sent: long("a") + "1", other: long("a") + "2"},
	}
	a := &archive{}
	for i, tt := range tests {
		at := uri + strconv.Itoa(i)
		a.posted(at, day, tt.kind, tt.sent, `"`+tt.name+`"`)
		a.posted(at, day, tt.kind, strings.NewReplacer("7", "9", "rose", "lily", "\"x\"", "\"z\"", "a1", "a3").Replace(tt.sent), `"another"`)
	}
	s := a.serve(t)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			post := func(kind, body string) *answer {
				if kind == "" {
					kind = tt.kind
				}
				return s.send(t, http.MethodPost, "/web/"+day+"mp_/"+uri+strconv.Itoa(i), body, "Content-Type: "+kind)
			}
			if got := post("", tt.sent).expect(t, 200, "X-Varve-Fuzzy:"); got.body != `"`+tt.name+`"` {
				t.Errorf("the same body: %s", got.body)
			}
			if tt.asked != "" {
				if got := post(tt.kindNow, tt.asked).expect(t, 200, "X-Varve-Fuzzy: "+uri+strconv.Itoa(i)); got.body != `"`+tt.name+`"` {
					t.Errorf("with what varies: %s", got.body)
				}
			}
			post(tt.kindNow, tt.other).expect(t, 404)
		})
	}
}

// A value that looks random is a nonce if requests that differ in it got the same answer; else it may name what is asked for.
func TestNoncesInProtocolBuffers(t *testing.T) {
	const protobuf, uri = "application/x-protobuf", "http://api.example/"
	const one, two, three = "1b4e28ba-2fa1-41d2-883f-0016d3cca427", "6fa459ea-ee8a-4ca4-894e-db77e160355e",
		"16fd2706-8baf-433b-82eb-8c7fada847da"
	then, now := capturedAt(day), time.Now()
	a := &archive{}
	for _, id := range []string{one, two} {
		a.posted(uri+"nonce", day, protobuf, protobufBody("roses", then, id), `"roses"`)
		a.posted(uri+"item", day, protobuf, protobufBody("item", then, id), `"item `+id+`"`)
	}
	for _, nonce := range []string{one, two} {
		a.posted(uri+"both", day, protobuf, protobufBody("item", then, nonce, one), `"item one"`)
	}
	a.posted(uri+"nonce", day, protobuf, protobufBody("tulip", then, one), `"tulip"`)
	a.posted(uri+"once", day, protobuf, protobufBody("roses", then, one), `"roses"`)
	s := a.serve(t)
	ask := func(path, body string) *answer {
		return s.send(t, http.MethodPost, "/web/"+day+"mp_/"+uri+path, body, "Content-Type: "+protobuf)
	}
	if got := ask("both", protobufBody("item", now, three, one)).expect(t, 200); got.body != `"item one"` {
		t.Errorf("with another nonce: %s", got.body)
	}
	ask("both", protobufBody("item", now, three, two)).expect(t, 404) // another item
	for _, tt := range []struct{ name, path, text, want string }{
		{"two nonces got one answer", "nonce", "roses", `"roses"`},
		{"other words", "nonce", "lilac", ""},
		{"one request says nothing", "nonce", "tulip", ""},
		{"identifiers", "item", "item", ""},
		{"a single capture", "once", "roses", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(tt.path, protobufBody(tt.text, now, three))
			if tt.want == "" {
				got.expect(t, 404)
			} else if got.expect(t, 200, "X-Varve-Fuzzy: "+uri+tt.path); got.body != tt.want {
				t.Errorf("answers %s", got.body)
			}
		})
	}
}
