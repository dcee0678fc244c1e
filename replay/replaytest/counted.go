package replaytest

import "fmt"

// CountedPage is the address of [Counted].
const CountedPage = "http://truth.example.org/page"

// Counted is an archive of one page. It has three versions by content, five by text and six by payload digest: a © year, a menu entry and
// mark-up change beside the main text, and a capture shows that the server failed.
func Counted() []Record {
	at := func(date string, status int, menu, main, year string) Record {
		const page = "<title>Mill</title><nav><a href=/a>%s</a></nav><main><h1>Mill</h1><p>%s</p></main><footer>© %s</footer>"
		body := fmt.Sprintf(page, menu, main, year)
		return Record{Date: date, URI: CountedPage, Status: status, Location: "", Body: body}
	}
	const (
		first  = "The mill stands by the river and grinds three sacks an hour."
		second = "The mill stands by the river and grinds five sacks an hour."
		third  = "The mill burnt down in the night, and nobody was hurt."
	)
	return []Record{
		at("20100101000000", 200, "Home", first, "2010"),
		at("20110101000000", 200, "Home", first, "2011"),
		at("20120101000000", 200, "Home", second, "2011"),
		at("20120601000000", 503, "Home", "Something went wrong.", "2011"),
		at("20130101000000", 200, "Start", second, "2011"),
		at("20130601000000", 200, "Start", "<b>"+second+"</b>", "2011"),
		at("20140101000000", 200, "Start", third, "2011"),
	}
}
