package demo

// A Highlight is a part of the sample archive that shows a feature.
type Highlight struct {
	Title string
	Path  string // inside the collection, without a leading slash
	Why   string // one sentence: what to do and see there
}

// Highlights returns the places to open first.
func Highlights() []Highlight {
	return []Highlight{
		{
			"A sentence that disappeared", "20160901092136/http://www.riverbend.example/history.html",
			"The town's history on the first day without one of its sentences: the version before, ten captures long, still has it.",
		},
		{
			"A page that was removed", "landing/20170301092254/http://www.riverbend.example/water.html",
			"The page about the water was deleted in 2017; its landing page finds where the text lives on.",
		},
		{
			"Sixteen years of a front page", "*/http://www.riverbend.example/",
			"Every capture of the home page has another clock and another counter; the calendar marks only the days it changed.",
		},
	}
}
