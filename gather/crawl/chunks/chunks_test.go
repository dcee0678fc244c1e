package chunks

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const failing = `;a.message="Loading chunk "+t+" failed.";`

func TestFind(t *testing.T) {
	const names = `({7:"about",12:"a"}[e]||e)+"."+{7:"5f3c",12:"e1",40:"9d"}[e]+`
	for _, tt := range []struct{ name, script, want string }{
		{"webpack 5", `r.u=e=>"c/"+` + names + `".js",r.p="/"`, "/c/about.5f3c.js /c/a.e1.js /c/40.9d.js"},
		{"a function", `r.u=function(e){return` + names + `".js"};r.p='/x/'`, "/x/about.5f3c.js /x/a.e1.js /x/40.9d.js"},
		{"readable", "r.u = (id) => {\n\t// its name\n\treturn \"\" + ({\"7\":\"about\"}[id] || id) + \".js\";\n};r.p = \"/\"", "/about.js"},
		{"webpack 4", `function s(e){return i.p+"js/"+({7:"about"}[e]||e)+".js"}i.p="/"`, "/js/about.js"},
		{
			"style sheets of webpack 4", `var n="css/"+({7:"a",8:"b"}[e]||e)+"."+{7:"c5",8:"31d6cfe0d16a"}[e]+".css",o=i.p+n;i.p="/"`,
			"/css/a.c5.css",
		},
		{"names of some", `r.u=e=>(7===e?"about":e)+"."+{7:"5f",8:"6a"}[e]+".js",r.p="/"`, "/about.5f.js /8.6a.js"},
		{
			"one choice for each", `r.u=e=>261===e?"c/261-a.js":1e3==e?"c/b.js":"c/"+{5:"d"}[e]+".mjs",r.p="/n/"`,
			"/n/c/261-a.js /n/c/b.js /n/c/d.mjs",
		},
		{"a single file", `r.miniCssF=e=>"a.css",r.p="/"`, "/a.css"},
		{"an object in parentheses", `r.u=e=>({7:"a"})[e]+".js",r.p="/"`, "/a.js"},
		{"a query", `r.u=e=>e+".js?v="+{7:"a"}[e],r.p="/"`, "/7.js?v=a"},
		{"numbers as keys", `r.u=e=>e+"."+{1e3:"a",.5:"b"}[e]+".js",r.p="/"`, "/1000.a.js /0.5.b.js"},
		{"IDs that are only where they are loaded", `r.u=e=>e+".js",r.p="/",r.e(242).then(r.e("b"))`, "/242.js /b.js"},
		{"another host", `r.u=e=>e+{7:"a"}[e]+".js",r.p="https://cdn.example/s/"`, "https://cdn.example/s/7a.js"},
		{"relative to the page", `r.u=e=>e+{7:"a"}[e]+".js",r.p=""`, "/page/7a.js"},
		{"relative to the script", `r.u=e=>e+{7:"a"}[e]+".js",r.p=t`, "/js/7a.js"},
		{"above the script", `r.u=e=>"c/"+{7:"a"}[e]+".js",r.p=e.replace(/^blob:/,"").replace(/\/[^\/]+$/,"/")+"../"`, "/c/a.js"},
		{"above the script, of Rspack", `r.u=e=>"c/"+{7:"a"}[e]+".js",r.p=(e=e.replace(/^blob:/,"").replace(/#.*$/,""))+"../"`, "/c/a.js"},
		{"nested beyond what is read", `r.u=e=>` + strings.Repeat("(", 1e5) + `"a.js",r.p="/"`, ""},
		{"other functions", `r.u=e=>f(e)+".js",r.x=e=>"\x61.js",r.y=(e,t)=>({7:"a"})[t+e+g]+".js",r.z=e=>{7:"a"}+".js",r.p="/"`, ""},
		{"no file", `r.u=e=>({7:"a"})[e]+".png",x="a.js",r.p="/"`, ""},
		{"cut off", `r.p="/",r.u=e=>"c/"+({7:"about"`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Find([]byte(tt.script+failing), "http://a.example/js/main.js", "http://a.example/page/")
			if got := strings.ReplaceAll(strings.Join(got, " "), "http://a.example", ""); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if got := Find([]byte(tt.script), "http://a.example/js/main.js", ""); len(got) > 0 {
				t.Errorf("%q in a script without a runtime", got)
			}
		})
	}
}

func TestLists(t *testing.T) {
	for _, tt := range []struct{ name, script, want string }{
		{"beside the script", `d=(m.f||(m.f=["assets/a.js","assets/b.css"]))`, "/s/assets/a.js /s/assets/b.css"},
		{"relative to the script", `["./a.js","../b.css"]`, "/s/assets/a.js /s/b.css"},
		{"from the root", `["/c/b.css"]`, "/c/b.css"},
		{"in lines", "[\n\t\"assets/a.mjs\",\n\t\"assets/b.css\",\n]", "/s/assets/a.mjs /s/assets/b.css"},
		{"of other folders", `["css/b.css","b.css"]`, ""},
		{"of other files", `["assets/a.js","assets/b.png"]`, ""},
	} {
		got := Find([]byte(tt.script), "http://a.example/s/assets/index.js", "http://a.example/")
		if got := strings.ReplaceAll(strings.Join(got, " "), "http://a.example", ""); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := Find([]byte(`<script>a=["./a.js"]</script>`), "http://a.example/", "http://a.example/"); len(got) > 0 {
		t.Errorf("%q in a page", got)
	}
}

// However many files a script names, a crawl requests a bounded number, and finds them in time that grows as the script does.
func TestNumberOfFilesIsBounded(t *testing.T) {
	var object strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&object, "%d:%q,", i, fmt.Sprint("n", i))
	}
	script := `r.p="/";r.u=e=>{` + object.String() + `}[e]+".js"` + failing
	began := time.Now()
	got := Find([]byte(strings.Repeat(script, 20)), "http://a.example/a.js", "")
	if len(got) != maxFiles || got[0] != "http://a.example/n0.js" {
		t.Errorf("%d files after %v", len(got), time.Since(began))
	}
	list := "[" + strings.Repeat(`"./a.js",`, 10) + object.String() + "]" // no list of files alone
	if got := Find([]byte(list), "http://a.example/a.js", ""); len(got) > 0 {
		t.Errorf("%q", slices.Compact(got))
	}
}

func FuzzFind(f *testing.F) {
	f.Add(`r.u=e=>"c/"+({7:"about"}[e]||e)+"."+{7:"5f3c"}[e]+".js",r.p="/"` + failing)
	f.Add(`i.p+"js/"+(7===e?"a":e)+".js";["assets/a.css"]` + failing)
	f.Fuzz(func(t *testing.T, script string) {
		for _, address := range Find([]byte(script), "http://a.example/assets/a.js", "http://a.example/") {
			if !strings.HasPrefix(address, "http") {
				t.Errorf("%q", address)
			}
		}
	})
}

func ExampleFind() {
	runtime := `r.u=e=>"js/"+({7:"about"}[e]||e)+"."+{7:"5f3c",8:"a1e0"}[e]+".js",r.p="/" /* … "Loading chunk " … */`
	for _, address := range Find([]byte(runtime), "https://site.example/js/main.js", "https://site.example/") {
		fmt.Println(address)
	}
	// Output:
	// https://site.example/js/about.5f3c.js
	// https://site.example/js/8.a1e0.js
}
