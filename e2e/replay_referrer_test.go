package e2e

import "testing"

// tellsReferrer is a page that tells who embeds or opens it what it knows of the page that led to it.
const tellsReferrer = `(opener || parent).postMessage(location.pathname + " " + document.referrer, "*"); `

// referrerFiles are pages to which those of referrerPrograms lead.
var referrerFiles = siteFiles{
	host + "/r/told":          messagePage(tellsReferrer),
	player + "/r/told":        messagePage(tellsReferrer),
	player + "/r/told?2":      messagePage(tellsReferrer),
	player + "/r/told-parent": messagePage(`parent.postMessage("parent " + document.referrer, "*")`),
	player + "/r/discreet":    messagePage("") + `<meta name=referrer content=no-referrer><iframe src="` + other + `/r/climbs"></iframe>`,
	other + "/r/climbs":       messagePage(`top.frames[0]; parent.parent.postMessage("climbs " + document.referrer, "*")`),
	player + "/r/nests":       messagePage(tellsReferrer) + `<iframe src="` + other + `/r/climbs"></iframe><iframe src="/r/climbs"></iframe>`,
	player + "/r/climbs":      messagePage(`parent.parent.postMessage("climbs " + document.referrer, "*")`),
	player + "/r/leads":       messagePage(`location.href = "` + other + `/r/led#there"`),
	player + "/r/leads-home":  messagePage(`location.href = "/r/led"`),
	player + "/r/led":         messagePage(tellsReferrer),
	other + "/r/led":          messagePage(tellsReferrer),
	player + "/r/opened":      messagePage(tellsReferrer + `close()`),
}

var referrerPrograms = []program{
	{"a frame of this site", listens + embedding("/r/told")},
	{"a frame of another site", listens + embedding(player+"/r/told")},
	{"a frame that a script makes", listens + `<script>embed("` + player + `/r/told")</script>`},
	{"a frame that is told nothing", listens + `<iframe referrerpolicy=no-referrer src="` + player + `/r/told"></iframe>`},
	{"frames that are told the origin", listens + `<iframe referrerpolicy=origin src="` + player + `/r/told"></iframe>` +
		`<iframe referrerpolicy=strict-origin-when-cross-origin src="` + player + `/r/told?2"></iframe>`},
	{"a frame that a script lets know the origin", listens + `<script>const f = document.createElement("iframe"); ` +
		`f.referrerPolicy = "strict-origin"; say(f.referrerPolicy); f.src = "` + player + `/r/told"; document.body.append(f)</script>`},
	{"a link that tells nothing", listens + `<iframe name=there></iframe><a target=there rel=noreferrer href="` + player +
		`/r/told-parent"></a><script>document.querySelector("a").click()</script>`},
	{"a link that tells the origin", listens + `<iframe name=there></iframe><a target=there referrerpolicy=origin href="` + player +
		`/r/told"></a><script>document.querySelector("a").click()</script>`},
	{"a frame that tells nothing", listens + embedding(player+"/r/discreet")},
	{"frames in a frame", listens + embedding(player+"/r/nests")},
	{"a frame that goes on to a third site", listens + embedding(player+"/r/leads")},
	{"a frame that goes on in its site", listens + embedding(player+"/r/leads-home")},
	{"a link in a frame", listens + `<iframe name=there></iframe><a target=there href="` + player + `/r/told"></a>` +
		`<script>document.querySelector("a").click()</script>`},
	{"a property like any other", `<script>say(typeof document.referrer, "referrer" in document, ` +
		`Object.keys(document).includes("location"))</script>`},
}

// referrerWindows open windows, one after the other.
var referrerWindows = []program{
	{"a window", `<script>addEventListener("message", (e) => say(e.data)); open("` + player + `/r/opened")</script>`},
	{"a window that may not tell", `<script>addEventListener("message", (e) => say(e.data)); say("opens"); open("` + player +
		`/r/opened", "_blank", "noopener")</script>`},
	{"a page that was led to", `<script>if (!location.search) location.replace("?again"); else say(document.referrer)</script>`},
}

// TestPagesKnowWhoLedToThem_long compares what pages learn of the pages that embed, open or lead to them.
func TestPagesKnowWhoLedToThem_long(t *testing.T) {
	t.Parallel() // it mostly waits
	encounter{
		frames:    troupe{"/r/", referrerFiles, hearing, referrerPrograms},
		windows:   troupe{"/r/", nil, hearing, referrerWindows},
		separated: []string{"a frame that tells nothing"}, // on one origin, nobody knows what a page's policy was
	}.isAsItWasLive(t)
}
