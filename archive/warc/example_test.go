package warc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

const sample = "WARC/1.1\r\n" +
	"WARC-Type: response\r\n" +
	"WARC-Target-URI: http://example.org/\r\n" +
	"WARC-Date: 2014-01-26T20:06:24Z\r\n" +
	"Content-Type: application/http; msgtype=response\r\n" +
	"Content-Length: 75\r\n" +
	"\r\n" +
	"HTTP/1.1 200 OK\r\n" +
	"Transfer-Encoding: chunked\r\n" +
	"\r\n" +
	"5\r\nHello\r\n" +
	"8\r\n, world!\r\n" +
	"0\r\n\r\n" +
	"\r\n\r\n"

func sampleFile() string {
	dir, err := os.MkdirTemp("", "warc")
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "sample.warc")
	if err := os.WriteFile(path, []byte(sample+"rubbish"), 0o600); err != nil {
		log.Fatal(err)
	}
	return path
}

func ExampleScan() {
	path := sampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	f, err := warc.Open(context.Background(), warc.Local{}, path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for rec, err := range warc.Scan(context.Background(), f, path, 0) {
		var damage *warc.Damage
		switch {
		case errors.As(err, &damage):
			fmt.Println(damage)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(rec.Type, rec.TargetURI, rec.Date)
		}
	}
	// Output:
	// response http://example.org/ 20140126200624
	// sample.warc: damaged at byte 253: no record starts here
}

func ExampleStore_Record() {
	path := sampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	store := warc.NewStore(func(cdx.FileID) (string, bool) { return path, true })
	defer store.Close()
	rec, err := store.Record(context.Background(), cdx.Location{File: 1, Offset: 0})
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	message, err := warc.ParseHead(rec.Block)
	if err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(warc.Body(message, rec.Block))
	fmt.Printf("%d %q %v\n", message.Status, body, err)
	// Output: 200 "Hello, world!" <nil>
}

func ExampleDecode() {
	r, err := warc.Decode("gzip", strings.NewReader("not gzip at all"))
	if err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(r)
	fmt.Printf("%s %v\n", body, err)
	// Output: not gzip at all <nil>
}
