package screens

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"
)

// A site is what is compared: hosts, the page that a reader opens, and what they do there.
type site struct {
	name  string
	hosts map[string]http.Handler
	start string
	steps []step
}

// A step is something that a reader does, as JavaScript, and what they then wait for.
type step struct{ does, until string }

// files answers with the files of a site's folder, and with made pictures.
func files(name string) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(filepath.Join("testdata", "sites", name))))
	mux.HandleFunc("/img/{picture}", picture)
	return mux
}

// picture answers "/img/RRGGBB-WIDTH-HEIGHT.png" with a bar of that colour in a frame.
func picture(w http.ResponseWriter, r *http.Request) {
	var red, green, blue uint8
	var width, height int
	if _, err := fmt.Sscanf(r.PathValue("picture"), "%02x%02x%02x-%d-%d.png", &red, &green, &blue, &width, &height); err != nil {
		http.NotFound(w, r)
		return
	}
	paint(w, color.RGBA{red, green, blue, 255}, width, height)
}

func paint(w http.ResponseWriter, c color.RGBA, width, height int) {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{c.R / 2, c.G / 2, c.B / 2, 255}), image.Point{}, draw.Src)
	draw.Draw(m, m.Rect.Inset(2), image.NewUniform(c), image.Point{}, draw.Src)
	w.Header().Set("Content-Type", "image/png")
	_ = png.Encode(w, m)
}

// bundle builds a program of a site with the packages that npm installed, as its makers would before they publish it.
// It adds the results to mux.
func bundle(t *testing.T, mux *http.ServeMux, folder string, o api.BuildOptions) {
	t.Helper()
	o.Bundle, o.MinifyWhitespace, o.MinifyIdentifiers, o.MinifySyntax = true, true, true, true
	o.Outdir, o.JSX, o.NodePaths = "/out", api.JSXAutomatic, []string{"node_modules"}
	o.Define = map[string]string{
		"process.env.NODE_ENV": `"production"`,
		"__VUE_OPTIONS_API__":  "true", "__VUE_PROD_DEVTOOLS__": "false", "__VUE_PROD_HYDRATION_MISMATCH_DETAILS__": "false",
	}
	o.External = append(o.External, "/img/*")
	built := api.Build(o)
	for _, e := range built.Errors {
		t.Fatalf("%s: %s", folder, e.Text)
	}
	for _, f := range built.OutputFiles {
		mux.HandleFunc(folder+filepath.ToSlash(strings.TrimPrefix(f.Path, "/out")), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(r.URL.Path)))
			_, _ = w.Write(f.Contents)
		})
	}
}

func entry(name string) []string { return []string{filepath.Join("testdata", "sites", name)} }

func say(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// shared lets pages of other hosts read the answers.
func shared(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "X-Client, Range")
		if r.Method != http.MethodOptions {
			h.ServeHTTP(w, r)
		}
	})
}

// sites returns all sites.
func sites(t *testing.T) []site {
	return []site{orchard(t), almanac(t), news(), forms(), cinema(t), atlas(), garden(t)}
}

// orchard is a single-page app of React with a router, fetch, a chunk that is loaded late, and local storage.
func orchard(t *testing.T) site {
	trees := make([]map[string]any, 12)
	for i := range trees {
		trees[i] = map[string]any{
			"id": i, "name": fmt.Sprintf("Tree %d", i),
			"text":    fmt.Sprintf("<em>Bears</em> fruit in <a href='/tree/%d'>month %d</a>.", (i+1)%12, i+1),
			"picture": fmt.Sprintf("/img/%02x8040-120-80.png", 20*i), "large": fmt.Sprintf("/img/%02x8040-240-160.png", 20*i),
		}
	}
	mux := http.NewServeMux()
	bundle(t, mux, "/assets", api.BuildOptions{
		EntryPoints: entry("orchard/main.jsx"), Format: api.FormatESModule, Splitting: true, Target: api.ES2022,
	})
	own := files("orchard")
	mux.Handle("/img/", own)
	mux.HandleFunc("/api/trees", func(w http.ResponseWriter, _ *http.Request) { say(w, trees) })
	mux.HandleFunc("/api/trees/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id >= len(trees) {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		say(w, trees[id])
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { // each address is one of the app
		r.URL.Path = "/"
		own.ServeHTTP(w, r)
	})
	return site{"orchard (React)", map[string]http.Handler{"orchard.example": mux}, "https://orchard.example/", []step{
		{"", `document.querySelectorAll("#trees li").length === 12`},
		{`document.querySelectorAll("#trees a")[3].click()`, `document.title === "Tree 3"`},
		{`document.getElementById("take").click()`, `document.getElementById("basket").textContent.includes("Tree 3")`},
		{`document.querySelector("nav a[href*=about]").click()`, `document.getElementById("about")`},
		{`document.getElementById("back").click()`, `document.getElementById("tree")`},
		{`document.querySelector("nav a[href*=gone]").click()`, `/404/.test(document.getElementById("gone")?.textContent)`},
	}}
}

// almanac is a single-page app of Vue, whose templates are compiled in the browser, with a router, XMLHttpRequest, JSONP,
// a cookie and GraphQL.
func almanac(t *testing.T) site {
	mux := http.NewServeMux()
	bundle(t, mux, "/assets", api.BuildOptions{
		EntryPoints: entry("almanac/main.js"), Format: api.FormatIIFE, Target: api.ES2018,
		Alias: map[string]string{"vue": "vue/dist/vue.esm-bundler.js"},
	})
	own := files("almanac")
	mux.HandleFunc("/almanac/", func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = "/"
		own.ServeHTTP(w, r)
	})
	mux.HandleFunc("/almanac/months.json", func(w http.ResponseWriter, _ *http.Request) {
		type month struct {
			Name string  `json:"name"`
			Mean float64 `json:"mean"`
		}
		var months []month
		for m := range 12 {
			months = append(months, month{time.Month(m + 1).String(), 20 - float64((m-6)*(m-6))/1.5})
		}
		say(w, months)
	})
	mux.HandleFunc("POST /graphql", func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Variables struct{ Q string } }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		type found struct {
			Title string `json:"title"`
		}
		var list []found
		for n := range len(asked.Variables.Q) {
			list = append(list, found{fmt.Sprintf("%s in year %d", asked.Variables.Q, 1900+7*n)})
		}
		say(w, map[string]any{"data": map[string]any{"find": list}})
	})
	moon := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprintf(w, `%s({"phase": "waxing"})`, r.FormValue("callback"))
	})
	return site{
		"almanac (Vue)",
		map[string]http.Handler{"almanac.example": mux, "moon.almanac.example": moon},
		"https://almanac.example/almanac/",
		[]step{
			{"", `document.querySelectorAll("#months tr").length === 12 && document.getElementById("moon").textContent`},
			{`document.querySelector("nav a:last-child").click()`, `document.querySelectorAll("#found li").length === 5`},
			{
				`q.value = " snow"; q.dispatchEvent(new Event("input", { bubbles: true }))`,
				`document.querySelectorAll("#found li").length === 4`,
			},
			{`history.back()`, `document.querySelectorAll("#months tr").length === 12 && document.getElementById("moon").textContent`},
		},
	}
}

// news is an endless list of plain scripts: it asks another host for more when its end comes into view.
func news() site {
	own, items := files("news"), http.NewServeMux()
	items.HandleFunc("/items", func(w http.ResponseWriter, r *http.Request) {
		const each, all = 6, 24
		from, _ := strconv.Atoi(r.FormValue("cursor"))
		var next any
		if from+each < all {
			next = strconv.Itoa(from + each)
		}
		var list []map[string]string
		for n := from; n < from+each; n++ {
			list = append(list, map[string]string{
				"title":   fmt.Sprintf("Item %d", n),
				"html":    fmt.Sprintf(`Said <a href="/item/%d">here</a> <b>today</b> <img src="/img/0000ff-9-9.png">`, n),
				"picture": fmt.Sprintf("https://img.news.example/img/%02x66aa-80-50.png", 10*n),
			})
		}
		say(w, map[string]any{"items": list, "next": next})
	})
	const scroll = `scrollTo(0, document.body.scrollHeight)`
	return site{
		"news (endless list)",
		map[string]http.Handler{"news.example": own, "api.news.example": shared(items), "img.news.example": files("news")},
		"https://news.example/",
		[]step{
			{"", `document.querySelectorAll("article").length >= 6`},
			{scroll, `document.querySelectorAll("article").length >= 12`},
			{scroll, `document.querySelectorAll("article").length >= 18`},
			{scroll, `document.querySelectorAll("article").length === 24`},
			{scroll, `document.body.dataset.done`},
		},
	}
}

// forms is a wizard that sends JSON, multipart data, a beacon and at last a form.
func forms() site {
	mux := files("forms")
	mux.HandleFunc("POST /api/stock", func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Plant string }
		_ = json.NewDecoder(r.Body).Decode(&asked)
		say(w, map[string]int{"left": 3 * len(asked.Plant)})
	})
	mux.HandleFunc("POST /api/price", func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		say(w, map[string]string{"sum": fmt.Sprintf("%s, %s: 12 crowns", r.FormValue("plant"), r.FormValue("size"))})
	})
	mux.HandleFunc("POST /seen", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("POST /order", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/ordered?plant="+r.FormValue("plant"), http.StatusSeeOther)
	})
	mux.HandleFunc("/ordered", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Ordered</title><h1>Thank you</h1><p id="done">for %s</p><a href="/">Back</a>`, r.FormValue("plant"))
	})
	const fill = `((id, value) => { const e = document.getElementById(id); e.focus(); e.value = value; })`
	return site{"forms (wizard)", map[string]http.Handler{"forms.example": mux}, "https://forms.example/", []step{
		{"", `document.readyState === "complete"`},
		{fill + `("plant", "roses"); document.getElementById("check").click()`, `document.getElementById("stock").textContent`},
		{fill + `("note", "red & white"); size.value = "l"; price.click()`, `document.getElementById("sum").textContent`},
		{fill + `("name", "Ada"); document.getElementById("send").click()`, `document.getElementById("done")`},
	}}
}

// cinema plays a film by HLS, in one of three sizes, and another one by ranges of a file.
func cinema(t *testing.T) site {
	own, cdn := files("cinema"), http.NewServeMux()
	bundle(t, own, "/assets", api.BuildOptions{EntryPoints: entry("cinema/main.js"), Format: api.FormatIIFE, Target: api.ES2018})
	own.HandleFunc("/trailer.mp4", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join("testdata", "film", "90.mp4"))
	})
	master := "#EXTM3U\n#EXT-X-VERSION:7\n"
	for _, lines := range []int{90, 180, 270} {
		film, err := os.ReadFile(filepath.Join("testdata", "film", fmt.Sprint(lines, ".mp4")))
		if err != nil {
			t.Fatal(err)
		}
		head, parts := fragments(t, film)
		folder, list := fmt.Sprintf("/film/%d/", lines), "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI=\"init.mp4\"\n"
		send := func(name, kind string, body []byte) {
			cdn.HandleFunc(folder+name, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", kind)
				_, _ = w.Write(body)
			})
		}
		send("init.mp4", "video/mp4", head)
		for n, part := range parts {
			name := fmt.Sprint(n, ".m4s")
			list += "#EXTINF:0.9,\n" + name + "\n"
			send(name, "video/iso.segment", part)
		}
		send("index.m3u8", "application/vnd.apple.mpegurl", []byte(list+"#EXT-X-ENDLIST\n"))
		master += fmt.Sprintf("#EXT-X-STREAM-INF:BANDWIDTH=%d,RESOLUTION=%dx%d,CODECS=\"avc1.42001E\"\n%d/index.m3u8\n",
			10*lines, lines*16/9, lines, lines)
	}
	cdn.HandleFunc("/film/master.m3u8", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.apple.mpegurl")
		_, _ = w.Write([]byte(master))
	})
	return site{
		"cinema (HLS)",
		map[string]http.Handler{"cinema.example": own, "cdn.cinema.example": shared(cdn)},
		"https://cinema.example/",
		[]step{
			{"", `document.getElementById("trailer").readyState >= 2`},
			{`document.getElementById("play").click()`, `/[0-9] s at/.test(document.getElementById("state").textContent)`},
		},
	}
}

// atlas is a map of tiles, which come from several hosts.
func atlas() site {
	own, cdn, tiles := files("atlas"), http.NewServeMux(), http.NewServeMux()
	cdn.Handle("/", http.FileServer(http.Dir(filepath.Join("node_modules", "leaflet", "dist"))))
	tiles.HandleFunc("/{z}/{x}/{y}", func(w http.ResponseWriter, r *http.Request) {
		x, _ := strconv.Atoi(r.PathValue("x"))
		y, _ := strconv.Atoi(strings.TrimSuffix(r.PathValue("y"), ".png"))
		paint(w, color.RGBA{uint8(40 * x), uint8(40 * y), uint8(30 * (x + y)), 255}, 256, 256)
	})
	hosts := map[string]http.Handler{"atlas.example": own, "cdn.atlas.example": cdn}
	for _, s := range []string{"a", "b", "c"} {
		hosts[s+".tiles.atlas.example"] = shared(tiles)
	}
	const still = `![...document.querySelectorAll("img.leaflet-tile")].some((i) => !i.classList.contains("leaflet-tile-loaded"))`
	return site{"atlas (map)", hosts, "https://atlas.example/", []step{
		{"", `document.body.dataset.towns && document.body.dataset.tiles && ` + still},
		{`map.panBy([300, 100], { animate: false })`, `document.getElementById("where").textContent && ` + still},
		{`document.querySelector(".leaflet-control-zoom-in").click()`, `/ 9$/.test(document.getElementById("where").textContent) && ` + still},
		{`document.querySelector(".leaflet-marker-icon:last-child").click()`, `document.querySelector(".leaflet-popup b") && ` + still},
	}}
}

// garden is made of web components: of Lit and without, with slots, shadow roots from mark-up, sheets made by scripts,
// elements in forms, and an import map.
func garden(t *testing.T) site {
	mux := files("garden")
	bundle(t, mux, "/vendor", api.BuildOptions{
		EntryPoints: []string{"node_modules/lit/index.js"}, Format: api.FormatESModule, EntryNames: "lit",
	})
	mux.Handle("/parts/", http.StripPrefix("/parts", http.FileServer(http.Dir(filepath.Join("testdata", "sites", "garden")))))
	return site{"garden (components)", map[string]http.Handler{"garden.example": mux}, "https://garden.example/", []step{
		{"", `document.querySelectorAll("plant-bed").length === 3 && document.body.dataset.dial`},
		{
			`document.querySelector("plant-bed").shadowRoot.querySelector("button").click()`,
			`document.querySelector("plant-bed").shadowRoot.textContent.includes("1×")`,
		},
		{
			`document.querySelector("rain-gauge").click(); document.querySelector("form button").click()`,
			`document.getElementById("sent").textContent`,
		},
	}}
}
