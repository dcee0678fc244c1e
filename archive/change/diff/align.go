package diff

// A Hunk is a stretch in which two sequences differ: a[A:AEnd] became b[B:BEnd]. Either may be empty.
type Hunk struct{ A, AEnd, B, BEnd int }

// Align returns how b differs from a, in order; between two hunks the sequences are equal. The result is correct for
// any two sequences, and nearly the shortest for versions of one text. Its time grows only with their length.
//
// Anchors are runs of words that occur exactly once in each sequence (as in patience diff, by Bram Cohen); long runs
// come first. Short stretches without anchors, such as refrains, are compared exactly.
func Align(a, b []uint32) []Hunk {
	al := aligner{a: a, b: b}
	al.between(0, len(a), 0, len(b), anchorRun, maxAlignDepth)
	return al.hunks
}

// anchorRun is how many words an anchor has at first. If there is none of that length, shorter ones are tried.
const anchorRun = 4

// maxAlignDepth bounds how often the gaps between anchors are searched again, in case a text was made to be slow.
const maxAlignDepth = 24

type aligner struct {
	a, b  []uint32
	hunks []Hunk
}

// between aligns a[i:iEnd] with b[j:jEnd], with anchors of n words.
func (al *aligner) between(i, iEnd, j, jEnd, n, depth int) {
	for i < iEnd && j < jEnd && al.a[i] == al.b[j] {
		i, j = i+1, j+1
	}
	for i < iEnd && j < jEnd && al.a[iEnd-1] == al.b[jEnd-1] {
		iEnd, jEnd = iEnd-1, jEnd-1
	}
	if i == iEnd && j == jEnd {
		return
	}
	switch {
	case i == iEnd || j == jEnd || depth == 0:
		al.add(Hunk{i, iEnd, j, jEnd})
		return
	case n == 0:
		al.exactly(i, iEnd, j, jEnd)
		return
	}
	anchors := al.anchors(i, iEnd, j, jEnd, n)
	if len(anchors) == 0 {
		al.between(i, iEnd, j, jEnd, n/2, depth-1)
		return
	}
	for _, at := range anchors {
		if at[0] < i || at[1] < j { // overlaps the previous anchor, which was stretched
			continue
		}
		al.between(i, at[0], j, at[1], n, depth-1)
		i, j = at[0], at[1]
		for i < iEnd && j < jEnd && al.a[i] == al.b[j] {
			i, j = i+1, j+1
		}
	}
	al.between(i, iEnd, j, jEnd, n, depth-1)
}

// exactPairs bounds the pairs of words that are compared in a stretch without anchors.
const exactPairs = 1 << 16

// exactly aligns a[i:iEnd] with b[j:jEnd] so that a longest common subsequence stays, unless they are too long for that.
func (al *aligner) exactly(i, iEnd, j, jEnd int) {
	a, b := al.a[i:iEnd], al.b[j:jEnd]
	if len(a)*len(b) > exactPairs {
		al.add(Hunk{i, iEnd, j, jEnd})
		return
	}
	wide := len(b) + 1
	common := make([]uint32, (len(a)+1)*wide) // common[x*wide+y] is the length of the longest common subsequence of a[x:] and b[y:]
	for x := len(a) - 1; x >= 0; x-- {
		for y := len(b) - 1; y >= 0; y-- {
			if a[x] == b[y] {
				common[x*wide+y] = common[(x+1)*wide+y+1] + 1
			} else {
				common[x*wide+y] = max(common[(x+1)*wide+y], common[x*wide+y+1])
			}
		}
	}
	for x, y := 0, 0; x < len(a) || y < len(b); {
		switch {
		case x < len(a) && y < len(b) && a[x] == b[y]:
			x, y = x+1, y+1
		case y == len(b) || x < len(a) && common[(x+1)*wide+y] >= common[x*wide+y+1]:
			al.add(Hunk{i + x, i + x + 1, j + y, j + y})
			x++
		default:
			al.add(Hunk{i + x, i + x, j + y, j + y + 1})
			y++
		}
	}
}

// add joins a hunk with the previous one if nothing lies between them.
func (al *aligner) add(h Hunk) {
	if n := len(al.hunks); n > 0 && al.hunks[n-1].AEnd == h.A && al.hunks[n-1].BEnd == h.B {
		al.hunks[n-1].AEnd, al.hunks[n-1].BEnd = h.AEnd, h.BEnd
		return
	}
	al.hunks = append(al.hunks, h)
}

// anchors returns the positions in both sequences of the runs of n words that occur once in each, as many as fit in
// order.
func (al *aligner) anchors(i, iEnd, j, jEnd, n int) [][2]int {
	once := map[uint64]int{} // position in a, or -1 if there are several
	eachRun(al.a[i:iEnd], n, func(h uint64, at int) {
		if _, ok := once[h]; ok {
			once[h] = -1
		} else {
			once[h] = i + at
		}
	})
	inB := map[uint64]int{}
	eachRun(al.b[j:jEnd], n, func(h uint64, at int) {
		if _, ok := inB[h]; ok {
			inB[h] = -1
		} else {
			inB[h] = j + at
		}
	})
	var pairs [][2]int
	eachRun(al.b[j:jEnd], n, func(h uint64, at int) {
		if p, ok := once[h]; ok && p >= 0 && inB[h] == j+at && al.same(p, j+at, n) {
			pairs = append(pairs, [2]int{p, j + at})
		}
	})
	return rising(pairs)
}

func (al *aligner) same(i, j, n int) bool {
	for k := range n {
		if al.a[i+k] != al.b[j+k] {
			return false
		}
	}
	return true
}

// eachRun calls f with the hash and the start of each run of n words.
func eachRun(words []uint32, n int, f func(hash uint64, at int)) {
	for at := 0; at+n <= len(words); at++ {
		h := uint64(n)
		for _, w := range words[at : at+n] {
			h = (h ^ uint64(w)) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		f(h, at)
	}
}

// rising returns a longest subsequence of pairs that increases in the first number; pairs already increase in the second.
func rising(pairs [][2]int) [][2]int {
	tails := make([]int, 0, len(pairs)) // tails[k]: index of the pair that ends the lowest increasing sequence of k+1 pairs
	before := make([]int, len(pairs))
	for i, p := range pairs {
		lo, hi := 0, len(tails)
		for lo < hi {
			if mid := (lo + hi) / 2; pairs[tails[mid]][0] < p[0] {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		before[i] = -1
		if lo > 0 {
			before[i] = tails[lo-1]
		}
		if lo == len(tails) {
			tails = append(tails, i)
		} else {
			tails[lo] = i
		}
	}
	out := make([][2]int, len(tails))
	if len(tails) == 0 {
		return out
	}
	for i, k := tails[len(tails)-1], len(tails)-1; i >= 0; i, k = before[i], k-1 {
		out[k] = pairs[i]
	}
	return out
}
