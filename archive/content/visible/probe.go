package visible

// probes are texts by which scripts measure fonts; they are out of sight.
var probes = map[string]bool{
	"mmMwWLli": true, "mmMwWLliI0O&1": true, "mmMwWLliI0fiflO&1": true, "mmmmmmmmmmlli": true, "mmmmmmmmmmwwwwwww": true,
	"BESbswy": true, "giItT1WQy@!-/#": true, "wwmmllii": true,
}

// isProbe reports whether text is one of them. All begin alike, so that most texts are not looked up.
func isProbe(text []byte) bool {
	const shortest, longest = 7, 17
	return len(text) >= shortest && len(text) <= longest && (text[0] == text[1] || text[0] == 'B' || text[0] == 'g') && probes[string(text)]
}
