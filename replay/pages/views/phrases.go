package views

import "net/http"

func errorTitle(t texts, status int) string {
	switch status {
	case http.StatusBadRequest:
		return t.ErrBadRequest
	case http.StatusNotFound:
		return t.ErrNotFound
	case http.StatusBadGateway:
		return t.ErrBroken
	case http.StatusServiceUnavailable:
		return t.ErrUnreadable
	case http.StatusUnavailableForLegalReasons:
		return t.ErrBlocked
	}
	return t.ErrOther
}

func (c Change) words(t texts) string {
	return [...]string{
		ChangeUnknown: "", ChangeNone: t.Unchanged, ChangeAny: t.ChangedMarkup,
		ChangeText: t.ChangedText, ChangeContent: t.ChangedContent,
	}[c]
}

// changeClass makes a row stand out as much as its change matters.
func changeClass(c Change) string {
	return [...]string{ChangeUnknown: "", ChangeNone: "same", ChangeAny: "same", ChangeText: "text", ChangeContent: "content"}[c]
}
