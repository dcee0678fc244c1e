package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// report writes what happened as tables, and returns whether all is well. Whether anything grows is judged after long runs only.
func (s *soak) report(w io.Writer, rests []rest) (well bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer t.Flush()
	well = s.failures.count() == 0
	judge := func(verdict string) string {
		switch {
		case s.long < judgedFrom:
			return "too short to judge"
		case verdict != "":
			well = false
			return "NOT FLAT: " + verdict
		}
		return ""
	}

	fmt.Fprintf(t, "asked\tanswers\tp50 ms\tp99 ms\tslowest\tfailures\t\n")
	all := 0
	for _, k := range kinds {
		took := s.took.sorted(k.name)
		all += len(took)
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%.0f\t%d\t\n", k.name, len(took), percentile(took, 50), percentile(took, 99),
			percentile(took, 100), s.failures.of[k.name])
	}
	fmt.Fprintf(t, "all\t%d\t\t\t\t%d\t\n\n", all, s.failures.count())

	fmt.Fprintf(t, "files\ttimes\tmedian until it shows\tlongest\t\n")
	for _, way := range slices.Sorted(maps.Keys(s.churn.took)) {
		took := slices.Sorted(slices.Values(s.churn.took[way]))
		fmt.Fprintf(t, "%s\t%d\t%.1f s\t%.1f s\t\n", way, len(took), took[len(took)/2].Seconds(), took[len(took)-1].Seconds())
	}

	fmt.Fprintf(t, "\nmeasured\t2nd quarter\tlast quarter\tmost\t\t\n")
	for i, one := range s.sampler.series() {
		unit, sign := 1.0, ""
		if measured[i].note == "MB" {
			unit, sign = 1<<20, " MB"
		}
		before, after, verdict := one.rise()
		most := 0.0
		if len(one.values) > 0 {
			most = slices.Max(one.values)
		}
		fmt.Fprintf(t, "%s\t%.1f%s\t%.1f%s\t%.1f%s\t%s\t\n", one.name, before/unit, sign, after/unit, sign, most/unit, sign, judge(verdict))
	}

	fmt.Fprintf(t, "\nwhile nobody asks\tafter warming up\tin the end\t\t\n")
	for _, rest := range rests {
		fmt.Fprintf(t, "%s\t%g\t%g\t%s\t\n", rest.name, rest.before, rest.after, judge(rest.verdict()))
	}
	return well
}
