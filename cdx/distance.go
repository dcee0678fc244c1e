package cdx

import (
	"iter"
	"slices"
)

// ByDistance yields captures, given in time order, by their distance from ts: nearest first, on a tie the earlier.
func ByDistance(captures []Capture, ts Timestamp) iter.Seq2[*Capture, error] {
	return func(yield func(*Capture, error) bool) {
		right, _ := slices.BinarySearchFunc(captures, ts, func(c Capture, ts Timestamp) int {
			if c.Time < ts {
				return -1
			}
			return 1
		})
		left := right
		for left > 0 || right < len(captures) {
			from, to := right, secondEnd(captures, right)
			if right == len(captures) || left > 0 && captures[left-1].Time.Distance(ts) <= captures[right].Time.Distance(ts) {
				from, to = secondStart(captures, left), left
				left = from
			} else {
				right = to
			}
			for i := from; i < to; i++ {
				if !yield(&captures[i], nil) {
					return
				}
			}
		}
	}
}

func secondEnd(c []Capture, i int) int {
	j := i
	for j < len(c) && c[j].Time == c[i].Time {
		j++
	}
	return j
}

func secondStart(c []Capture, end int) int {
	i := end - 1
	for i > 0 && c[i-1].Time == c[end-1].Time {
		i--
	}
	return i
}
