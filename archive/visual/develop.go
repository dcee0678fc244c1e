package visual

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	_ "image/png" // as which images may come

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // as which Chromium sends them
)

// Sizes of thumbnails: as wide as a card, and no longer than a page that a reader sees at once.
const (
	thumbWidth   = 320
	thumbQuality = 72
)

// mostPixels is how large an image may be, so that nothing is unpacked that a browser can't have made here.
const mostPixels = 64 << 20

// A Model keeps of a picture what matters to the eye as a short vector. See package archive/visual/model.
type Model interface {
	Vector(img image.Image) ([]float32, error)
	Distance(a, b []float32) float64
	Important(distance float64) bool
}

// Decode reads an image, a WebP or a PNG, and returns its type.
func Decode(content []byte) (img image.Image, kind string, err error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, "", fmt.Errorf("the picture that the browser made: %w", err)
	}
	if c.Width*c.Height > mostPixels {
		return nil, "", fmt.Errorf("the picture that the browser made has %d × %d pixels", c.Width, c.Height)
	}
	img, _, err = image.Decode(bytes.NewReader(content))
	return img, "image/" + format, err
}

// Develop keeps the image of a picture, a WebP or a PNG, and fills in what is known from its pixels: the grain of its blocks, its look
// and, if there is a model, its vector.
func (s *Store) Develop(p *Picture, content []byte, model Model) error {
	img, kind, err := Decode(content)
	if err != nil {
		return err
	}
	size := img.Bounds()
	p.Height = size.Dy()
	for i := range p.Blocks {
		b := &p.Blocks[i]
		b.Grain = Sift(img, image.Rect(b.X, b.Y, b.X+b.W, b.Y+b.H), b.drawn())
	}
	p.Look = lookOf(img)
	if model != nil {
		if p.Vector, err = model.Vector(img); err != nil {
			return err
		}
	}
	if p.Image, err = s.Put(content, kind); err != nil {
		return err
	}
	p.Image.Width, p.Image.Height = size.Dx(), size.Dy()
	thumb := shrink(img)
	var small bytes.Buffer
	if err := jpeg.Encode(&small, thumb, &jpeg.Options{Quality: thumbQuality}); err != nil {
		return err
	}
	p.Thumb, err = s.Put(small.Bytes(), "image/jpeg")
	p.Thumb.Width, p.Thumb.Height = thumb.Bounds().Dx(), thumb.Bounds().Dy()
	return err
}

// shrink returns the upper part of an image as a thumbnail, four wide and three high.
func shrink(img image.Image) image.Image {
	from := img.Bounds()
	from.Max.Y = min(from.Max.Y, from.Min.Y+from.Dx()*3/4)
	to := image.NewRGBA(image.Rect(0, 0, thumbWidth, max(1, thumbWidth*from.Dy()/max(1, from.Dx()))))
	draw.CatmullRom.Scale(to, to.Bounds(), img, from, draw.Src, nil)
	return to
}
