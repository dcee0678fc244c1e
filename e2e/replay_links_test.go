package e2e

import (
	"slices"
	"testing"
)

// linkFiles are a site whose script follows links and the history by itself: it requests the data of the next page and then changes the
// address.
var linkFiles = siteFiles{
	host + "/": `text/html
<!doctype html><title>home</title><h1>home</h1><a id=data href="/about?x#part">1</a><a id=request href="/about">2</a><a id=inner
href="/about"><b>3</b></a><a id=known href="/known">4</a><a id=lacking href="/lacking">5</a><a id=picture href="/picture.svg">6</a><a
id=measured href="/about">7</a><a id=plain href="/about">8</a><a id=back href="/about">9</a><a id=knownback href="/known">10</a><a
id=late href="/about">11</a><a id=within href="#part">12</a><button id=button>13</button><script>
const put = (text) => { document.querySelector("h1").textContent = text; document.title = "shown" };
const show = (path, text) => { history.pushState({}, "", path); put(text) };
const fetched = (path) => fetch(path).then((r) => r.ok ? r.text() : "error " + r.status, () => "failed");
const requested = (path, then) => { const x = new XMLHttpRequest(); x.open("GET", path);
  x.onload = () => then(x.status === 200 ? x.responseText : "error " + x.status); x.send() };
addEventListener("click", (e) => {
  const a = e.target.closest("a"), path = a && a.getAttribute("href");
  if (!a) return fetched("/data/button").then((t) => show("/", t));
  if (a.id === "plain") return;
  if (a.id === "within") return fetched("/data/part").then(put);
  e.preventDefault();
  if (/back/.test(a.id)) { history.pushState({}, "", path); history.pushState({}, "", "/further"); history.back(); }
  else if (a.id === "request") requested("/data" + path, (t) => show(path, t));
  else if (a.id === "measured") fetch("http://metrics.example/hit").then(() => show("/", "counted"));
  else if (a.id === "late") fetched("/data" + path).then((t) => { document.title = t; setTimeout(show, 300, path, t); });
  else fetched("/data" + path).then((t) => show(path, t));
});
addEventListener("popstate", (e) => e.state && fetched("/data" + location.pathname).then(put));
</script>`,
	host + "/about":       "text/html\n<!doctype html><title>about</title><h1>about</h1>",
	host + "/about?x":     "text/html\n<!doctype html><title>about</title><h1>about x</h1>",
	host + "/known":       "text/html\n<!doctype html><title>known</title><h1>known, loaded whole</h1>",
	host + "/data/known":  "text/plain\nknown, by its data",
	host + "/picture.svg": "image/svg+xml\n<svg xmlns='http://www.w3.org/2000/svg'/>",
}

// If a script follows a link or the history by itself and the data that it requests were not captured, the reader gets the captured page.
func TestLinksWhoseDataWereNotCaptured_long(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	a := linkFiles.archive()
	for how, g := range map[string]*stage{
		"replayed":        browseAsReaders(t, a.serve(t)),
		"on many origins": onManyOrigins(t, a.serve(t, "--public-url", publicOrigin, "--replay-url", "http://*.replay.localhost")),
	} {
		for _, tt := range []struct{ click, title, text string }{
			{"data", "about", "about x"},
			{"request", "about", "about"},
			{"inner", "about", "about"},
			{"plain", "about", "about"},
			{"late", "about", "about"},
			{"back", "about", "about"}, // to an address that a script had set
			{"knownback", "shown", "known, by its data"},
			{"known", "shown", "known, by its data"},
			{"lacking", "shown", "error 404"}, // the page wasn't captured either
			{"picture", "shown", "error 404"},
			{"within", "shown", "error 404"}, // the page is there already
			{"button", "shown", "error 404"},
			{"measured", "shown", "counted"}, // what is missing isn't the site's
		} {
			t.Run(how+"/"+tt.click, func(t *testing.T) {
				g.navigate(t, g.url+"/web/"+day+"/"+host+"/")
				g.until(t, `document.title === "home"`)
				evaluate[bool](t, g, `((document.querySelector("#`+tt.click+` b") || document.getElementById("`+tt.click+`")).click(), true)`)
				g.until(t, `document.title === "`+tt.title+`"`)
				if tt.title == "shown" { // and stays
					evaluate[bool](t, g, `new Promise((done) => setTimeout(done, 400, true))`)
				}
				g.until(t, `document.querySelector("h1")?.textContent === "`+tt.text+`"`)
				if slices.Contains([]string{"data", "request", "inner", "late", "back"}, tt.click) { // without the site's error in between
					evaluate[bool](t, g, `(history.back(), true)`)
					g.until(t, `document.title === "home" && document.querySelector("h1").textContent === "home"`)
				}
			})
		}
	}
}
