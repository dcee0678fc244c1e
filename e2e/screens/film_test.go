package screens

import (
	"encoding/base64"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var makeFilm = flag.Bool("film", false, "record the films in testdata/film anew")

// record is a page's script that draws a film and records it as fragmented MP4, with a key frame each second.
const record = `async (width, height) => {
	const canvas = Object.assign(document.createElement("canvas"), { width, height }), pen = canvas.getContext("2d");
	document.body.append(canvas);
	const recorder = new MediaRecorder(canvas.captureStream(10), {
		mimeType: "video/mp4;codecs=avc1.42001E", videoBitsPerSecond: 50000, videoKeyFrameIntervalDuration: 900,
	});
	const parts = [];
	recorder.ondataavailable = (e) => parts.push(e.data);
	recorder.start();
	for (let n = 0; n < 32; n++) {
		pen.fillStyle = "hsl(" + Math.floor(n / 10) * 90 + " 60% 50%)";
		pen.fillRect(0, 0, width, height);
		pen.fillStyle = "white";
		pen.fillRect(n * width / 40, height / 3, width / 10, height / 3);
		await new Promise((done) => setTimeout(done, 100));
	}
	await new Promise((done) => { recorder.onstop = done; recorder.stop(); });
	const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
	return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
}`

// TestRecordFilms writes the films of the cinema when asked: Chromium itself records them.
func TestRecordFilms(t *testing.T) {
	if !*makeFilm {
		t.Skip("-film records the films in testdata/film anew")
	}
	ctx := browser(t, "http://127.0.0.1:1")
	for _, lines := range []int{90, 180, 270} {
		script := fmt.Sprintf("(%s)(%d, %d)", record, lines*16/9, lines)
		coded, err := chromedp.Run(ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		film, err := base64.StdEncoding.DecodeString(coded)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d lines: %d bytes", lines, len(film))
		if err := os.WriteFile(filepath.Join("testdata", "film", fmt.Sprint(lines, ".mp4")), film, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// fragments cuts a fragmented MP4 file: what comes before the first fragment, and each fragment (ISO 14496-12 §8.8).
func fragments(t *testing.T, film []byte) (head []byte, parts [][]byte) {
	t.Helper()
	for len(film) > 0 {
		if len(film) < 8 || int(binary.BigEndian.Uint32(film)) > len(film) || binary.BigEndian.Uint32(film) < 8 {
			t.Fatal("the film is no sequence of boxes")
		}
		size := binary.BigEndian.Uint32(film)
		switch kind := string(film[4:8]); {
		case kind == "moof":
			parts = append(parts, film[:size:size])
		case kind == "mfra":
		case len(parts) > 0:
			parts[len(parts)-1] = append(parts[len(parts)-1], film[:size]...)
		default:
			head = append(head, film[:size]...)
		}
		film = film[size:]
	}
	return head, parts
}
