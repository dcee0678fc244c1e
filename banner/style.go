package banner

import (
	_ "embed"
	"strings"
)

// The banner's style stands in its shadow root, where no rule of the page reaches: as a file of its own it
// would come late and move the page. It is ASCII: inside <style> no character reference is read.
//
//go:embed banner.css
var bannerCSS string

// styleElement is written as it is; line ends serve only who edits the file.
var styleElement = "<style>" + strings.ReplaceAll(bannerCSS, "\n", "") + "</style>"
