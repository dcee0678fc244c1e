package demo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// iceSound returns six seconds of breaking ice as WAV (8 kHz, 8 bit, mono), long enough for range requests.
func iceSound() []byte {
	const rate, seconds = 8000, 6
	samples := make([]byte, rate*seconds)
	rnd := rand.New(rand.NewPCG(1926, 2012))
	loud := 0.0
	for i := range samples {
		if rnd.IntN(rate/3) == 0 { // a crack
			loud = 0.4 + 0.6*rnd.Float64()
		}
		loud *= 0.9992
		rumble := 0.15 * math.Sin(float64(i)/90)
		samples[i] = byte(128 + 120*(loud*(rnd.Float64()-0.5)+rumble))
	}
	b := make([]byte, 0, 44+len(samples))
	b = append(b, "RIFF"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(36+len(samples)))
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 1) // one channel
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint16(b, 1) // bytes per sample
	b = binary.LittleEndian.AppendUint16(b, 8) // bits per sample
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(samples)))
	return append(b, samples...)
}

// report returns a PDF with one page.
func report() []byte {
	text := "BT /F1 20 Tf 72 760 Td (Ninety years of the Aldern) Tj /F1 11 Tf 0 -36 Td 15 TL\n" +
		"(The Riverbend River Observatory has read the height of the river on) Tj T*\n" +
		"(32,861 of the 32,873 mornings since 1 October 1926. The twelve that are) Tj T*\n" +
		"(missing are those after the flood of 1931, when there was no gauge to read.) Tj ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
	}
	var b, xref bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	for i, o := range objects {
		fmt.Fprintf(&xref, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%s", len(objects)+1, xref.Bytes())
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}
