package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"
)

// A report is what is said at the end.
type report struct {
	watches  *watches
	sampler  *sampler
	churn    *churn
	failures *failures
	rests    []rest
	judged   bool // whether the time was long enough for flatness to mean something
}

func (r *report) write(w io.Writer) (well bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer t.Flush()
	well = r.failures.count() == 0
	fmt.Fprintf(t, "asked\tanswers\tp50 ms\tp99 ms\tslowest\tp99 2nd quarter\tlast quarter\tfailures\t\n")
	minutes := r.watches.minutes()
	all := 0
	for _, k := range kinds {
		took := r.watches.between(k.name, 0, minutes)
		all += len(took)
		before, after := r.watches.between(k.name, minutes/4, minutes/2), r.watches.between(k.name, minutes-max(1, minutes/4), minutes)
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%.0f\t%.1f\t%.1f\t%d\t\n", k.name, len(took), percentile(took, 50), percentile(took, 99),
			percentile(took, 100), percentile(before, 99), percentile(after, 99), r.failures.of[k.name])
	}
	fmt.Fprintf(t, "all\t%d\t\t\t\t\t\t%d\t\n\n", all, r.failures.count())
	fmt.Fprintf(t, "files\ttimes\tmedian until it shows\tlongest\t\n")
	for _, way := range slices.Sorted(maps.Keys(r.churn.done)) {
		took := slices.Sorted(slices.Values(r.churn.took[way]))
		fmt.Fprintf(t, "%s\t%d\t%.1f s\t%.1f s\t\n", way, r.churn.done[way], took[len(took)/2].Seconds(), took[len(took)-1].Seconds())
	}
	fmt.Fprintf(t, "\nmeasured\t2nd quarter\tlast quarter\tmost\t\t\n")
	for i, s := range r.sampler.series() {
		unit, sign := 1.0, ""
		if measured[i].note == "MB" {
			unit, sign = 1<<20, " MB"
		}
		before, after, verdict := s.rise()
		if !r.judged {
			verdict = "too short to judge"
		} else if verdict != "" {
			well = false
			verdict = "NOT FLAT: " + verdict
		}
		most := 0.0
		if len(s.values) > 0 {
			most = slices.Max(s.values)
		}
		fmt.Fprintf(t, "%s\t%.1f%s\t%.1f%s\t%.1f%s\t%s\t\n", s.name, before/unit, sign, after/unit, sign, most/unit, sign, verdict)
	}
	fmt.Fprintf(t, "\nwhile nobody asks\tafter warming up\tin the end\t\t\n")
	for _, rest := range r.rests {
		verdict := rest.verdict()
		if !r.judged {
			verdict = "too short to judge"
		} else if verdict != "" {
			well = false
		}
		fmt.Fprintf(t, "%s\t%g\t%g\t%s\t\n", rest.name, rest.before, rest.after, verdict)
	}
	return well
}

// save writes all samples, and what each minute was like, into files.
func (r *report) save(samples, minutes string) error {
	rows := [][]string{{"seconds"}}
	for _, m := range measured {
		rows[0] = append(rows[0], m.name)
	}
	for i, values := range r.sampler.values {
		row := []string{strconv.FormatFloat(r.sampler.at[i].Seconds(), 'f', 1, 64)}
		for _, v := range values {
			row = append(row, strconv.FormatFloat(v, 'f', 0, 64))
		}
		rows = append(rows, row)
	}
	if err := save(samples, rows); err != nil {
		return err
	}
	rows = [][]string{{"minute", "kind", "answers", "p50 ms", "p99 ms"}}
	for minute := range r.watches.minutes() {
		for _, k := range kinds {
			took := r.watches.between(k.name, minute, minute+1)
			rows = append(rows, []string{
				strconv.Itoa(minute), k.name, strconv.Itoa(len(took)),
				fmt.Sprintf("%.2f", percentile(took, 50)), fmt.Sprintf("%.2f", percentile(took, 99)),
			})
		}
	}
	return save(minutes, rows)
}

func save(path string, rows [][]string) error {
	f, err := os.Create(path) // #nosec G304 -- in the folder that the caller named
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	if err := w.WriteAll(rows); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
