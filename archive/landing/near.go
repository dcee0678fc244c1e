package landing

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// How many alternatives of each sort are proposed, and how many keys of a folder are scanned for similar spelling.
const (
	maxSimilar   = 8
	maxParents   = 2
	maxSpellings = 3
	maxFolder    = 1_000 // also of candidates among which another spelling is looked for
	maxFolders   = 20    // above an address, the nearest, beside the root of its host
	maxAddress   = 8192  // bytes of a key that neighbours are looked for; nobody types or links so long an address
)

// A neighbour is a key whose address looks like another one.
type neighbour struct {
	key string
	why Why
}

// neighbours lists the keys near key, likeliest first, captured or not: that of an address within the address, as in those of mementos and
// redirects; without the query or path parameters; other forms of the same page; the same page for mobile devices, or for others; folders
// above.
func neighbours(key string) []neighbour {
	host, path, ok := strings.Cut(key, ")")
	if !ok {
		return nil
	}
	host += ")"
	var out []neighbour
	add := func(path string, why Why) {
		if k := host + path; k != key && !slices.ContainsFunc(out, func(n neighbour) bool { return n.key == k }) {
			out = append(out, neighbour{k, why})
		}
	}
	if i := max(strings.LastIndex(path, "http:/"), strings.LastIndex(path, "https:/")); i >= 0 {
		out = append(out, neighbour{surt.Of(memento.ParseURIR(path[i:])), WhyVariant})
	}
	plain, _, hasQuery := strings.Cut(path, "?")
	if hasQuery {
		add(plain, WhyNoQuery)
	}
	if bare, _, ok := strings.Cut(plain, ";"); ok { // a session
		add(bare, WhyVariant)
	}
	for _, v := range variants(plain) {
		add(v, WhyVariant)
	}
	for _, other := range mobileHosts(strings.TrimSuffix(host, ")")) {
		out = append(out, neighbour{other + ")" + path, WhyVariant})
	}
	for n, parent := 1, folder(plain); parent != ""; n++ {
		add(trimFolder(parent), WhyParent)
		for _, name := range indexPages {
			add(parent+name, WhyParent)
		}
		if parent = folder(strings.TrimSuffix(parent, "/")); n == maxFolders && parent != "" {
			parent = "/"
		}
	}
	return out
}

// pageEndings and indexPages are the parts that servers may add to an address or leave out.
var (
	pageEndings = []string{".html", ".htm", ".php", ".xhtml", ".asp", ".aspx", ".jsp"}
	indexPages  = []string{"index.html", "index.htm", "index.php", "default.asp", "default.htm", "home.html"}
)

// variants lists other forms of a path: with or without a file ending, with or without the name of an index page.
func variants(path string) []string {
	var out []string
	base := path[strings.LastIndexByte(path, '/')+1:]
	if slices.Contains(indexPages, base) {
		out = append(out, trimFolder(path[:len(path)-len(base)]))
	}
	for _, e := range pageEndings {
		if bare, ok := strings.CutSuffix(path, e); ok {
			out = append(out, bare)
			for _, other := range pageEndings {
				if other != e {
					out = append(out, bare+other)
				}
			}
			return out
		}
	}
	if strings.Contains(base, ".") {
		return out
	}
	for _, name := range indexPages {
		out = append(out, strings.TrimSuffix(path, "/")+"/"+name)
	}
	if base != "" {
		for _, e := range pageEndings {
			out = append(out, path+e)
		}
	}
	return out
}

// mobileHosts lists the hosts of the same site for mobile devices (m.a.example, mobile.a.example, amp.a.example, en.m.a.example), or the
// one for others, as hosts are in keys.
func mobileHosts(host string) []string {
	labels := strings.Split(host, ",")
	isMobile := func(label string) bool { return label == "m" || label == "mobile" || label == "amp" }
	if i := slices.IndexFunc(labels, isMobile); i > 1 {
		return []string{strings.Join(slices.Delete(labels, i, i+1), ",")}
	}
	n := len(labels)
	if n < 2 || strings.Contains(host, ":") {
		return nil
	}
	out := []string{host + ",m", host + ",mobile", host + ",amp"}
	if n > 2 {
		out = append(out, strings.Join(slices.Insert(labels, n-1, "m"), ","))
	}
	return out
}

// trimFolder removes the slash at the end of a folder, as keys do, but keeps the root's.
func trimFolder(path string) string {
	if path = strings.TrimSuffix(path, "/"); path == "" {
		return "/"
	}
	return path
}

// folder returns the path up to its last slash, inclusive.
func folder(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// spelledLike finds keys in the folder of key whose last part is spelled similarly, most similar first.
func (f *finder) spelledLike(ctx context.Context, coll, key string) ([]neighbour, error) {
	path, _, _ := strings.Cut(key, "?")
	dir := folder(path)
	if dir == "" || len(dir) == len(key) {
		return nil, nil
	}
	near := speller{dir: dir, name: key[len(dir):]}
	all, err := near.scan(f.in.View().Keys(ctx, coll, dir, dir+"\x7f"))
	if err == nil && !all { // typing errors are rare in the first letters
		start := dir + near.name[:min(2, len(near.name))]
		_, err = near.scan(f.in.View().Keys(ctx, coll, start, start+"\x7f"))
	}
	if err != nil {
		return nil, err
	}
	return closest(near.found, WhySpelling), nil
}

// closest returns the first keys by distance.
func closest(found []spelled, why Why) (out []neighbour) {
	slices.SortStableFunc(found, func(a, b spelled) int { return a.distance - b.distance })
	for _, k := range found[:min(len(found), 2*maxSpellings)] {
		out = append(out, neighbour{k.key, why})
	}
	return out
}

// otherQueries finds keys with all parameters of key and others, or with some of them and no others, among the first of its path.
func (f *finder) otherQueries(ctx context.Context, coll, key string) ([]neighbour, error) {
	path, query, ok := strings.Cut(key, "?")
	if !ok {
		return nil, nil
	}
	asked := strings.Split(query, "&")
	var found []spelled
	n := 0
	for k, err := range f.in.View().Keys(ctx, coll, path+"?", path+"@") { // @ follows ?
		if err != nil {
			return nil, err
		}
		if n++; n > maxFolder {
			break
		}
		has := strings.Split(k[len(path)+1:], "&")
		more, fewer := lacking(has, asked), lacking(asked, has)
		if k != key && min(more, fewer) == 0 && fewer < len(asked) {
			found = append(found, spelled{k, more + fewer})
		}
	}
	return closest(found, WhyVariant), nil
}

// lacking counts the elements of a that b lacks.
func lacking(a, b []string) (n int) {
	for _, s := range a {
		if !slices.Contains(b, s) {
			n++
		}
	}
	return n
}

// A speller collects the keys of a folder whose last part is spelled like name.
type speller struct {
	dir, name string
	found     []spelled
}

type spelled struct {
	key      string
	distance int
}

// scan compares at most maxFolder keys. all reports whether that was every key.
func (f *speller) scan(keys iter.Seq2[string, error]) (all bool, err error) {
	n := 0
	for k, err := range keys {
		if err != nil {
			return false, err
		}
		if n++; n > maxFolder {
			return false, nil
		}
		d, ok := spelling(f.name, k[min(len(f.dir), len(k)):])
		if ok && !slices.ContainsFunc(f.found, func(o spelled) bool { return o.key == k }) {
			f.found = append(f.found, spelled{k, d})
		}
	}
	return true, nil
}

// maxSpelled bounds the length of names whose spelling is compared.
const maxSpelled = 200

// spelling returns the edit distance of two names, and whether it is small enough for a typing error.
func spelling(a, b string) (int, bool) {
	allowed := 1 + len(a)/5
	if a == b || len(b) == 0 || len(a) > maxSpelled || strings.ContainsRune(b, '/') || max(len(a)-len(b), len(b)-len(a)) > allowed {
		return 0, false
	}
	d := diffmatchpatch.New()
	n := d.DiffLevenshtein(d.DiffMain(a, b, false))
	return n, n <= allowed
}

// nearbyPages finds captures of other spellings of uriR, and of the neighbours of its key, that show a page or resource, nearest to ts.
func (f *finder) nearbyPages(ctx context.Context, coll, uriR string, ts cdx.Timestamp) ([]Alternative, error) {
	key := surt.Of(uriR)
	if len(key) > maxAddress {
		return nil, nil
	}
	all := append([]neighbour{{key, WhyVariant}}, neighbours(key)...)
	for _, find := range []func(context.Context, string, string) ([]neighbour, error){f.otherQueries, f.spelledLike} {
		more, err := find(ctx, coll, key)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	keys := make([]string, len(all))
	for i := range all {
		keys[i] = all[i].key
	}
	found := make([]*cdx.Capture, len(all))
	err := f.in.View().Nearest(ctx, coll, ts, keys, func(i int, candidates iter.Seq2[*cdx.Capture, error]) {
		if keys[i] == key {
			candidates = otherSpellings(uriR, candidates)
		}
		found[i] = firstGood(ts, candidates)
	})
	if err != nil {
		return nil, err
	}
	most := map[Why]int{WhyNoQuery: 1, WhyVariant: 2, WhyParent: maxParents, WhySpelling: maxSpellings}
	var out []Alternative
	for i, c := range found {
		if c == nil || most[all[i].why] == 0 {
			continue
		}
		page, err := f.pageOf(ctx, coll, c)
		if err != nil {
			return nil, err
		}
		if page != nil {
			most[all[i].why]--
			out = append(out, Alternative{Capture: page, Why: all[i].why})
		}
	}
	return out, nil
}

// pageOf returns c if it shows a page or a resource, else, as of a soft 404, the last real capture before it or the first after it; nil if
// there is none.
func (f *finder) pageOf(ctx context.Context, coll string, c *cdx.Capture) (*cdx.Capture, error) {
	tl, err := f.in.Spelled(ctx, coll, c.URL)
	if err != nil {
		return nil, err
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		return nil, err
	}
	i := timeline.RangeOf(ranges, c.Time)
	if i >= 0 && ranges[i].Kind.Shown() {
		return c, nil
	}
	before, after := around(tl, ranges, i, c.Time)
	return cmp.Or(before, after), nil
}

// otherSpellings yields those of the first candidates that are spelled otherwise than uriR, as in another case or order of parameters.
func otherSpellings(uriR string, candidates iter.Seq2[*cdx.Capture, error]) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		n := 0
		for c, err := range candidates {
			if n++; n > maxFolder || (err != nil || !surt.SameSpelling(c.URL, uriR)) && !yield(c, err) {
				return
			}
		}
	}
}

// firstGood returns the nearest usable capture with a 2xx status, nil if there is none.
func firstGood(ts cdx.Timestamp, candidates iter.Seq2[*cdx.Capture, error]) *cdx.Capture {
	for c, err := range memento.Preferred(ts, candidates) {
		if err == nil && timeline.Usable(c) && c.Status >= 200 && c.Status <= 299 {
			good := *c
			return &good
		}
	}
	return nil
}
