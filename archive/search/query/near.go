package query

import "unicode/utf8"

// MaxTypos returns how many letters of a word may be wrong in a search with ~. It is 0 for the shortest words, which would match anything.
func MaxTypos(w string) int {
	switch n := utf8.RuneCountInString(w); {
	case n < 3:
		return 0
	case n < 6:
		return 1
	}
	return 2
}

// Distance returns the number of letters to add, remove, replace, or swap with the next, to turn a into b. If it is greater than most, it
// returns most+1.
func Distance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > most || -d > most {
		return most + 1
	}
	before, above, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+differ(x[i-1], y[j-1]))
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		before, above, row = above, row, before
	}
	return min(above[len(y)], most+1)
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}
