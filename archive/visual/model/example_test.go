package model_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"github.com/varve-archive/varve/archive/visual/model"
)

// A new band of colour over a page pushes everything down, and is no content.
func Example() {
	m := model.Load()
	before := draws(1, 1280, 900)
	after := image.NewRGBA(image.Rect(0, 0, 1280, 1000))
	draw.Draw(after, after.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(after, before.Rect.Add(image.Pt(0, 100)), before, image.Point{}, draw.Src)

	content := []model.Block{{Kind: model.Content, Box: before.Rect}}
	old, err := m.Vector(before, content)
	if err != nil {
		panic(err)
	}
	content[0].Box = content[0].Box.Add(image.Pt(0, 100))
	now, err := m.Vector(after, content)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f\n", m.Distance(old, now))
	// Output: 0.0
}
