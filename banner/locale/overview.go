package locale

// Overview has the texts of what is in a collection, of the calendar over all collections, and of codes to embed; see [Language].
type Overview struct {
	Counting      string // {0} captures done, {1} in all
	CountingUntil string
	Years         string
	YearTable     string
	ColYear       string
	ChangedMost   string
	ChangedLast   string
	AllMost       string // leads to all addresses, those that changed most first
	AllLast       string // … those that changed last first
	LivedLongest  string
	Hosts         string
	ColHost       string
	Kinds         string
	Addresses     string
	Pages         string
	SpanOf        string // {0} and {1}: years
	InCollections string // heading of the calendar over all collections: {0} an address
	OfCollection  string
	Everywhere    string
	OnlyIn        string // {0} a collection
	Embed         string
}

var overviewEnglish = Overview{
	Counting:      "The pages are still being counted: {0} of {1} captures are done. Load this page again in a while.",
	CountingUntil: "Until then the addresses are in the order of their names.",
	Years:         "Captures and versions of pages by year",
	YearTable:     "The years as a table",
	ColYear:       "Year",
	ChangedMost:   "Changed most",
	ChangedLast:   "Changed last",
	AllMost:       "All, most changed first",
	AllLast:       "All, last changed first",
	LivedLongest:  "Longest life",
	Hosts:         "Hosts",
	ColHost:       "Host",
	Kinds:         "Types",
	Addresses:     "Addresses",
	Pages:         "Pages",
	SpanOf:        "{0} – {1}",
	InCollections: "{0} in all collections",
	OfCollection:  "Collection",
	Everywhere:    "All collections together",
	OnlyIn:        "In the collection {0} alone",
	Embed:         "Embed code",
}

var overviewGerman = Overview{
	Counting:      "Die Seiten werden noch gezählt: {0} von {1} Aufnahmen sind erledigt. Laden Sie diese Seite nach einer Weile neu.",
	CountingUntil: "Bis dahin stehen die Adressen in der Reihenfolge ihrer Namen.",
	Years:         "Aufnahmen und Fassungen von Seiten nach Jahren",
	YearTable:     "Die Jahre als Tabelle",
	ColYear:       "Jahr",
	ChangedMost:   "Am meisten geändert",
	ChangedLast:   "Zuletzt geändert",
	AllMost:       "Alle, am meisten geänderte zuerst",
	AllLast:       "Alle, zuletzt geänderte zuerst",
	LivedLongest:  "Am längsten da",
	Hosts:         "Hosts",
	ColHost:       "Host",
	Kinds:         "Arten",
	Addresses:     "Adressen",
	Pages:         "Seiten",
	SpanOf:        "{0} – {1}",
	InCollections: "{0} in allen Sammlungen",
	OfCollection:  "Sammlung",
	Everywhere:    "Alle Sammlungen zusammen",
	OnlyIn:        "Nur in der Sammlung {0}",
	Embed:         "Code zum Einbetten",
}

var overviewPersian = Overview{
	Counting:      "صفحه‌ها هنوز شمرده می‌شوند: {0} از {1} ضبط انجام شده است. کمی بعد این صفحه را دوباره باز کنید.",
	CountingUntil: "تا آن زمان نشانی‌ها به ترتیب نامشان هستند.",
	Years:         "ضبط‌ها و نسخه‌های صفحه‌ها به تفکیک سال",
	YearTable:     "سال‌ها به صورت جدول",
	ColYear:       "سال",
	ChangedMost:   "بیشترین تغییر",
	ChangedLast:   "تازه‌ترین تغییر",
	AllMost:       "همه، پرتغییرترین‌ها نخست",
	AllLast:       "همه، تازه‌تغییرها نخست",
	LivedLongest:  "طولانی‌ترین عمر",
	Hosts:         "میزبان‌ها",
	ColHost:       "میزبان",
	Kinds:         "نوع‌ها",
	Addresses:     "نشانی‌ها",
	Pages:         "صفحه‌ها",
	SpanOf:        "{0} – {1}",
	InCollections: "{0} در همهٔ مجموعه‌ها",
	OfCollection:  "مجموعه",
	Everywhere:    "همهٔ مجموعه‌ها با هم",
	OnlyIn:        "تنها در مجموعهٔ {0}",
	Embed:         "کد جاسازی",
}

var overviewRussian = Overview{
	Counting:      "Страницы ещё подсчитываются: готово {0} из {1} копий. Загрузите эту страницу ещё раз немного позже.",
	CountingUntil: "Пока адреса стоят в порядке имён.",
	Years:         "Копии и версии страниц по годам",
	YearTable:     "Годы таблицей",
	ColYear:       "Год",
	ChangedMost:   "Менялись больше всего",
	ChangedLast:   "Менялись последними",
	AllMost:       "Все, сначала самые изменчивые",
	AllLast:       "Все, сначала изменённые последними",
	LivedLongest:  "Дольше всего жили",
	Hosts:         "Хосты",
	ColHost:       "Хост",
	Kinds:         "Типы",
	Addresses:     "Адреса",
	Pages:         "Страницы",
	SpanOf:        "{0} – {1}",
	InCollections: "{0} во всех коллекциях",
	OfCollection:  "Коллекция",
	Everywhere:    "Все коллекции вместе",
	OnlyIn:        "Только в коллекции {0}",
	Embed:         "Код для вставки",
}

var overviewUkrainian = Overview{
	Counting:      "Сторінки ще підраховуються: готово {0} з {1} копій. Завантажте цю сторінку ще раз трохи згодом.",
	CountingUntil: "Доти адреси стоять у порядку імен.",
	Years:         "Копії та версії сторінок за роками",
	YearTable:     "Роки таблицею",
	ColYear:       "Рік",
	ChangedMost:   "Змінювалися найбільше",
	ChangedLast:   "Змінилися останніми",
	AllMost:       "Усі, спочатку наймінливіші",
	AllLast:       "Усі, спочатку змінені останніми",
	LivedLongest:  "Жили найдовше",
	Hosts:         "Хости",
	ColHost:       "Хост",
	Kinds:         "Типи",
	Addresses:     "Адреси",
	Pages:         "Сторінки",
	SpanOf:        "{0} – {1}",
	InCollections: "{0} в усіх колекціях",
	OfCollection:  "Колекція",
	Everywhere:    "Усі колекції разом",
	OnlyIn:        "Лише в колекції {0}",
	Embed:         "Код для вставлення",
}

var overviewChinese = Overview{
	Counting:      "网页仍在统计：{1} 次抓取中已完成 {0} 次。请稍后重新打开本页。",
	CountingUntil: "在此之前，网址按名称排序。",
	Years:         "各年网页的抓取和版本",
	YearTable:     "年份表格",
	ColYear:       "年份",
	ChangedMost:   "变化最多",
	ChangedLast:   "最近变化",
	AllMost:       "全部，更改最多的在前",
	AllLast:       "全部，最近更改的在前",
	LivedLongest:  "存续最久",
	Hosts:         "主机",
	ColHost:       "主机",
	Kinds:         "类型",
	Addresses:     "网址",
	Pages:         "网页",
	SpanOf:        "{0} – {1}",
	InCollections: "所有收藏中的 {0}",
	OfCollection:  "收藏",
	Everywhere:    "所有收藏合在一起",
	OnlyIn:        "仅在收藏 {0} 中",
	Embed:         "嵌入代码",
}
