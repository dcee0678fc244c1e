package banner

import "github.com/varve-archive/varve/banner/locale"

// texts is the language of a page.
type texts = *locale.Language
