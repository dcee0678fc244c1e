package site

import (
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// sketchOf returns the sketch of a page.
func sketchOf(html string) *sketch.Sketch {
	text := new(visible.Extractor).Extract([]byte(html), "text/html; charset=utf-8")
	s := sketch.Of(&text)
	return &s
}
