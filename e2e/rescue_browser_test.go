package e2e

import (
	"slices"
	"strings"
	"testing"
)

// rootward are statements by which a page's script asks for the path in p, at the root of what it takes for its own server.
// box is an element of its own in the page, with an id.
var rootward = map[string]string{
	"fetch":          `fetch(p)`,
	"a Request":      `fetch(new Request(p))`,
	"fetch of a URL": `fetch(new URL(p, location.origin))`,
	"a POST": `fetch(p, {method: "POST", body: "a=1", headers: {"Content-Type": ` +
		`"application/x-www-form-urlencoded"}})`,
	"an address put together":            `fetch(location.protocol + "//" + location.host + p)`,
	"fetch by another name":              `self["fe" + "tch"](p)`,
	"the function's window":              `Function("return this")().fetch(p)`,
	"XMLHttpRequest":                     `const x = new XMLHttpRequest(); x.open("GET", p); x.send()`,
	"events":                             `new EventSource(p)`,
	"an image":                           `new Image().src = p`,
	"an attribute":                       `document.createElement("img").setAttribute("src", p)`,
	"an attribute with a null namespace": `document.createElement("img").setAttributeNS(null, "src", p)`,
	"srcset":                             `document.createElement("img").srcset = p + " 2x"`,
	"a script":                           `const e = document.createElement("script"); e.src = p; box.append(e)`,
	"a module":                           `const e = document.createElement("script"); e.type = "module"; e.src = p; box.append(e)`,
	"an import":                          `import(p).catch(() => {})`,
	"an import in eval":                  `eval("import(p).catch(() => {})")`,
	"an import in a Function":            `new Function("p", "import(p).catch(() => {})")(p)`,
	"a style sheet":                      `const l = document.createElement("link"); l.rel = "stylesheet"; l.href = p; box.append(l)`,
	"a preload": `const l = document.createElement("link"); l.rel = "preload"; l.as = "image"; ` +
		`l.href = p; box.append(l)`,
	"a frame":               `const f = document.createElement("iframe"); f.src = p; box.append(f)`,
	"an object":             `const o = document.createElement("object"); o.data = p; box.append(o)`,
	"an embed":              `const e = document.createElement("embed"); e.src = p; box.append(e)`,
	"mark-up beside":        `box.insertAdjacentHTML("beforeend", "<img src=" + p + ">")`,
	"innerHTML":             `box.innerHTML = "<img src=" + p + ">"`,
	"innerHTML of a shadow": `box.attachShadow({mode: "open"}).innerHTML = "<img src=" + p + ">"`,
	"setHTMLUnsafe":         `box.setHTMLUnsafe("<img src=" + p + ">")`,
	"parseHTMLUnsafe":       `box.append(Document.parseHTMLUnsafe("<img src=" + p + ">").body.firstChild)`,
	"a fragment":            `box.append(document.createRange().createContextualFragment("<img src=" + p + ">"))`,
	"a template": `const t = document.createElement("template"); t.innerHTML = "<img src=" + p + ">"; ` +
		`box.append(t.content.cloneNode(true))`,
	"a parser":       `box.append(new DOMParser().parseFromString("<img src=" + p + ">", "text/html").body.firstChild)`,
	"document.write": `document.write("<img src=" + p + ">")`,
	"SVG":            `box.innerHTML = "<svg><image/></svg>"; box.querySelector("image").setAttribute("href", p)`,
	"SVG of old": `box.innerHTML = "<svg><image/></svg>"; ` +
		`box.querySelector("image").setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", p)`,
	"a style":            `box.style.backgroundImage = "url(" + p + ")"`,
	"cssText":            `box.style.cssText = "background:url(" + p + ")"`,
	"setProperty":        `box.style.setProperty("background-image", "url(" + p + ")")`,
	"a style attribute":  `box.setAttribute("style", "background:url(" + p + ")")`,
	"a map of styles":    `box.attributeStyleMap.set("background-image", "url(" + p + ")")`,
	"a style element":    `const y = document.createElement("style"); y.textContent = rule; box.append(y)`,
	"text in a style":    `const y = document.createElement("style"); y.append(document.createTextNode(rule)); box.append(y)`,
	"a style in mark-up": `box.insertAdjacentHTML("beforeend", "<style>" + rule + "</style>")`,
	"a rule":             `const y = document.createElement("style"); box.append(y); y.sheet.insertRule(rule)`,
	"a rule in a rule": `const y = document.createElement("style"); y.textContent = "@media all{}"; box.append(y); ` +
		`y.sheet.cssRules[0].insertRule(rule)`,
	"an adopted sheet":      `const c = new CSSStyleSheet(); c.replaceSync(rule); document.adoptedStyleSheets.push(c)`,
	"a sheet adopted later": `const c = new CSSStyleSheet(); c.replace(rule).then(() => document.adoptedStyleSheets.push(c))`,
	"an import of styles":   `const y = document.createElement("style"); y.textContent = "@import '" + p + "';"; box.append(y)`,
	"a font":                `new FontFace("x", "url(" + p + ")").load().catch(() => {})`,
	"a worker":              `new Worker(p)`,
	"a module worker":       `new Worker(p, {type: "module"})`,
	"a worker of a blob":    `new Worker(URL.createObjectURL(new Blob(["fetch('" + location.origin + p + "')"])))`,
	"an audio":              `new Audio(p).play().catch(() => {})`,
	"a poster":              `const v = document.createElement("video"); v.poster = p; box.append(v)`,
	"an input":              `const i = document.createElement("input"); i.type = "image"; i.src = p; box.append(i)`,
	"a frame's window":      `const f = document.createElement("iframe"); box.append(f); f.contentWindow.fetch(p)`,
	"a frame's image":       `const f = document.createElement("iframe"); box.append(f); new f.contentWindow.Image().src = p`,
	"a frame's adopted sheet": `const f = document.createElement("iframe"); box.append(f); const w = f.contentWindow, c = new ` +
		`w.CSSStyleSheet(); c.replaceSync("body{background:url(" + p + ")}"); w.document.adoptedStyleSheets = [c]`,
	"srcdoc": `const f = document.createElement("iframe"); f.srcdoc = "<img src=" + p + ">"; box.append(f)`,
}

// rootwardLeaving are the same, and leave the page.
var rootwardLeaving = map[string]string{
	"location":               `location = p`,
	"location.href":          `location.href = p`,
	"location.assign":        `location.assign(p)`,
	"location in a Function": `new Function("p", "location.href = p")(p)`,
	"a link":                 `const a = document.createElement("a"); a.href = p; box.append(a); a.click()`,
	"a form":                 `const f = document.createElement("form"); f.action = p; box.append(f); f.submit()`,
	"a form of mark-up":      `box.innerHTML = "<form action=" + p + "><button>x</button></form>"; box.querySelector("button").click()`,
	"a form that posts":      `const f = document.createElement("form"); f.action = p; f.method = "post"; box.append(f); f.submit()`,
	"a button with an address": `box.innerHTML = "<form><button>x</button></form>"; const b = box.querySelector("button"); ` +
		`b.formAction = p; b.click()`,
	"a refresh":   `const m = document.createElement("meta"); m.httpEquiv = "refresh"; m.content = "0; url=" + p; document.head.append(m)`,
	"window.open": `window.open(p)`,
}

// Issue 20.3: what a page's script asks of the server's root gets the archived answer in a browser too. There the policy of
// archived pages allows nothing outside of the collection, so each way to ask must lead into it before the request is made.
func TestScriptsAskTheRoot(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	a := &archive{}
	together := "<!doctype html><title>asks</title><body>"
	for name, statement := range rootward {
		together += asksRoot(a, name, statement)
	}
	a.page(host+"/all", day, together)
	for name, statement := range rootwardLeaving {
		a.page(host+"/one/"+slug(name), day, "<!doctype html><title>leaves</title><body>"+asksRoot(a, name, statement))
	}
	g := browse(t, a.serve(t))
	g.open(t, at14("/all"))
	asked, leaks := g.seen()
	for name := range rootward {
		if !arrived(asked, name) {
			t.Errorf("%s doesn't get there", name)
		}
	}
	if len(leaks) > 0 {
		t.Errorf("left for the live web: %q", leaks)
	}
	for name := range rootwardLeaving {
		g.open(t, at14("/one/"+slug(name)))
		if asked, leaks := g.seen(); !arrived(asked, name) || len(leaks) > 0 {
			t.Errorf("%s doesn't get there: %q, %q", name, asked, leaks)
		}
		g.reset(t)
	}
}

// asksRoot archives what the statement asks for, and returns mark-up that runs it.
func asksRoot(a *archive, name, statement string) string {
	p := "/root/" + slug(name)
	a.response(host+p, day, "200 OK", "", "Content-Type: text/plain")
	return "<div id=" + slug(name) + ">x</div><script>{const p = '" + p + "', box = document.getElementById('" + slug(name) + "'), rule = '#" +
		slug(name) + "{background:url(' + p + ')}'; try { " + statement + " } catch (e) { console.error(e) }}</script>"
}

// arrived reports whether an exact URI-M of what asks for the root by this name was requested.
func arrived(asked []string, name string) bool {
	return slices.ContainsFunc(asked, func(target string) bool {
		rest, ok := strings.CutPrefix(target, "/web/"+day)
		return ok && strings.HasSuffix(strings.TrimSuffix(rest, "?"), "_/"+host+"/root/"+slug(name)) ||
			strings.TrimSuffix(rest, "?") == "/"+host+"/root/"+slug(name)
	})
}
