package visual

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"

	"github.com/varve-archive/varve/archive/visual/model"
)

// Sizes of thumbnails: as wide as a card, and no longer than a page that a reader sees at once.
const (
	thumbWidth   = 320
	thumbQuality = 72
)

// maxPixels bounds an image, so that only images are unpacked that a browser may have made here.
const maxPixels = 64 << 20

// A Shot is a browser's picture of a page.
type Shot struct {
	Kept  []byte        // the image that is kept: a WebP
	Exact []byte        // the same as a PNG, without loss
	Bare  []byte        // a PNG without what lies over the page ([model.OverlaysScript]); none if nothing does
	Boxes []model.Block // boxes of header, content, and so on, in the bare page
}

// decode decodes an image that a browser made.
func decode(file []byte) (image.Image, error) {
	c, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("the picture that the browser made: %w", err)
	}
	if c.Width*c.Height > maxPixels {
		return nil, fmt.Errorf("the picture that the browser made has %d × %d pixels", c.Width, c.Height)
	}
	return png.Decode(bytes.NewReader(file))
}

// Develop stores the image of a picture, and sets what is computed from its pixels: the grain of its blocks and its vector.
func (s *Store) Develop(p *Picture, shot *Shot) error {
	img, err := decode(shot.Exact)
	if err != nil {
		return err
	}
	size := img.Bounds()
	p.Height = size.Dy()
	for i := range p.Blocks {
		b := &p.Blocks[i]
		b.Grain = Grain(img, image.Rect(b.X, b.Y, b.X+b.W, b.Y+b.H), b.drawn())
	}
	bare := img
	if shot.Bare != nil {
		if bare, err = decode(shot.Bare); err != nil {
			return err
		}
	}
	if p.Vector, err = s.model.Vector(bare, shot.Boxes); err != nil {
		return err
	}
	if p.Image, err = s.Put(shot.Kept, "image/webp"); err != nil {
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
