package browser

import (
	"maps"
	"slices"

	"github.com/chromedp/chromedp/kb"
)

// keys are the keys with names (UI Events KeyboardEvent key Values).
var keys = map[string]string{
	"Enter": kb.Enter, "Tab": kb.Tab, "Escape": kb.Escape, "Space": " ", "Backspace": kb.Backspace, "Delete": kb.Delete,
	"ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight,
	"PageUp": kb.PageUp, "PageDown": kb.PageDown, "Home": kb.Home, "End": kb.End,
}

var keyNames = slices.Sorted(maps.Keys(keys))
