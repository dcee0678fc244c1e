package banner

// proxyTexts is what the pages of proxy mode say beside what [texts] has for all pages.
type proxyTexts struct {
	Title          string
	What           string
	SetProxy       string // {0} host and port
	YouSee         string // {0} datetime
	YouSeeNewest   string
	Moment         string // label of a field
	FromCollection string // label of a choice
	Choose         string // a button
	EmptyIsNewest  string
	KnownByAddress string
	KnownByName    string // {0} the collection
	SecurePages    string
	SecureHow      string
	TrustWarning   string
	MoveTitle      string
	YouWillSee     string // {0} datetime
	MoveWhy        string
	Go             string // a button
}

// proxyLanguages has the languages of [languages], by tag.
var proxyLanguages = map[string]*proxyTexts{
	"en": &proxyEnglish, "uk": &proxyUkrainian, "ru": &proxyRussian, "fa": &proxyPersian, "zh": &proxyChinese, "de": &proxyGerman,
}

// proxyTextsFor returns the texts of a language chosen by [Language], English for any other tag.
func proxyTextsFor(tag string) *proxyTexts {
	if t, ok := proxyLanguages[tag]; ok {
		return t
	}
	return &proxyEnglish
}

var proxyEnglish = proxyTexts{
	Title:          "The archived web, at its own addresses",
	What:           "This browser sees archived pages only, as they were at one moment. Nothing is asked of the live web.",
	SetProxy:       "Set {0} as the HTTP and HTTPS proxy of your browser, best in a profile of its own, then open http://varve.proxy/.",
	YouSee:         "You see the web as of {0}.",
	YouSeeNewest:   "You see the newest capture of each page.",
	Moment:         "As of (UTC)",
	FromCollection: "from the collection",
	Choose:         "Choose",
	EmptyIsNewest:  "An empty field is the moment that the proxy was started with, or the newest capture of each page.",
	KnownByAddress: "The choice is kept for this computer's network address while the proxy runs. Who shares that address names a " +
		"collection as the user name for the proxy, and any word as password: each has a choice of its own.",
	KnownByName: "The user name for the proxy chooses the collection {0}.",
	SecurePages: "Secure pages",
	SecureHow: "For https pages the browser must trust this proxy's own authority. Its certificate was made at the first start; its " +
		"key never leaves the machine that the proxy runs on.",
	TrustWarning: "Trust it only in a browser or profile that you use for archived pages, and remove it afterwards.",
	MoveTitle:    "Go to another time?",
	YouWillSee:   "You will see the web as of {0}.",
	MoveWhy:      "A link asks for this. Archived pages must not change the time you look at without your knowing.",
	Go:           "Go there",
}

var proxyGerman = proxyTexts{
	Title: "Das archivierte Web unter seinen eigenen Adressen",
	What: "Dieser Browser sieht nur archivierte Seiten, so wie sie zu einem bestimmten Zeitpunkt waren. Das heutige Web wird " +
		"nicht gefragt.",
	SetProxy: "Stellen Sie {0} als HTTP- und HTTPS-Proxy Ihres Browsers ein, am besten in einem eigenen Profil, und öffnen Sie " +
		"dann http://varve.proxy/.",
	YouSee:         "Sie sehen das Web vom {0}.",
	YouSeeNewest:   "Sie sehen von jeder Seite die neueste Aufnahme.",
	Moment:         "Zeitpunkt (UTC)",
	FromCollection: "aus der Sammlung",
	Choose:         "Wählen",
	EmptyIsNewest:  "Ein leeres Feld bedeutet den Zeitpunkt, mit dem der Proxy gestartet wurde, sonst die neueste Aufnahme jeder Seite.",
	KnownByAddress: "Die Wahl gilt für die Netzadresse dieses Rechners, solange der Proxy läuft. Wer die Adresse mit anderen teilt, " +
		"nennt als Benutzername des Proxys eine Sammlung und als Passwort ein beliebiges Wort: Dann hat jeder seine eigene Wahl.",
	KnownByName: "Der Benutzername des Proxys wählt die Sammlung {0}.",
	SecurePages: "Sichere Seiten",
	SecureHow: "Für https-Seiten muss der Browser der Zertifizierungsstelle dieses Proxys vertrauen. Ihr Zertifikat entstand beim " +
		"ersten Start; ihr Schlüssel verlässt den Rechner des Proxys nie.",
	TrustWarning: "Vertrauen Sie ihr nur in einem Browser oder Profil für archivierte Seiten, und entfernen Sie sie danach.",
	MoveTitle:    "Zu einer anderen Zeit gehen?",
	YouWillSee:   "Sie werden das Web vom {0} sehen.",
	MoveWhy:      "Ein Link verlangt das. Archivierte Seiten dürfen die Zeit, die Sie betrachten, nicht ohne Ihr Wissen ändern.",
	Go:           "Dorthin gehen",
}
