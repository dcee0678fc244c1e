package banner

import (
	_ "embed"
	"strings"
)

// The banner's style is in its shadow root, where no rule of the page applies. A separate file would arrive late and
// make the page jump. It is ASCII, because <style> has no character references.
//
//go:embed banner.css
var bannerCSS string

// Style returns the element of a style. It leaves out line breaks, which help only those who edit the file.
func Style(css string) string {
	return "<style>" + strings.ReplaceAll(css, "\n", "") + "</style>"
}
