// Package calendar shows when an address was captured and changed: as a calendar of one collection or of all, as a TimeMap for people,
// and as the list of its versions in JSON.
package calendar

import "github.com/varve-archive/varve/banner/locale"

// texts is the language of a page.
type texts = *locale.Language
