package locale

// Info has the texts of the page that says where a capture is from, in one language; see [Language].
type Info struct {
	From       string // {0} the URI-R
	Link       string // to the page
	Cite       string
	OtherForms string
	RobustLink string
	Record     string
	Whole      string
	Differs    string // problems follow
	Damaged    string // the damage follows
	Unchecked  string
	File       string
	Offset     string
	Length     string
	BodyIn     string
	Format     string
	Digest     string
	Leads      string
	Embeds     string
	Parts      Count
	Missing    Count
	LeftOut    string // {0} how many parts are not shown
	Unread     string // {0} how many parts were not looked through for their own
	Never      string
	Later      string // {0} a duration
	Earlier    string
	Raw        string
	WARC       string // a link to the record
	WACZ       string // a link to the page with its parts
	HTTPHead   string
	RecordHead string
	Writer     string
}

var infoEnglish = Info{
	From:       "Where this capture of {0} is from",
	Link:       "source and citation",
	Cite:       "Cite this capture",
	OtherForms: "As a link, for BibTeX, as CSL-JSON",
	RobustLink: "Robust link",
	Record:     "The record",
	Whole:      "Read to its end just now: it is whole, and fits the digests that it has.",
	Differs:    "Read to its end just now: it is whole, but not all of it is as it says.",
	Damaged:    "Read just now: it is damaged.",
	Unchecked:  "It is too large to be read to its end while you wait; “varve check” does that.",
	File:       "File",
	Offset:     "Offset",
	Length:     "Length in bytes",
	BodyIn:     "Its body is in",
	Format:     "Format",
	Digest:     "Payload digest",
	Leads:      "Where it leads",
	Embeds:     "What the page embeds",
	Parts:      Count{One: "{0} part", Other: "{0} parts"},
	Missing:    Count{One: "{0} was never captured", Other: "{0} were never captured"},
	LeftOut:    "left out: {0} or more",
	Unread:     "not looked through for further ones: {0}",
	Never:      "never captured",
	Later:      "{0} later",
	Earlier:    "{0} earlier",
	Raw:        "archived bytes",
	WARC:       "the record as WARC",
	WACZ:       "the page with its parts as WACZ",
	HTTPHead:   "Archived HTTP header",
	RecordHead: "Header of the record",
	Writer:     "What wrote the file",
}

var infoGerman = Info{
	From:       "Woher diese Aufnahme von {0} stammt",
	Link:       "Herkunft und Zitat",
	Cite:       "Diese Aufnahme zitieren",
	OtherForms: "Als Link, für BibTeX, als CSL-JSON",
	RobustLink: "Robuster Link",
	Record:     "Der Datensatz",
	Whole:      "Eben bis zum Ende gelesen: Er ist vollständig und passt zu seinen Prüfsummen.",
	Differs:    "Eben bis zum Ende gelesen: Er ist vollständig, aber nicht alles ist so, wie er sagt.",
	Damaged:    "Eben gelesen: Er ist beschädigt.",
	Unchecked:  "Er ist zu groß, um ihn bis zum Ende zu lesen, während Sie warten; das tut „varve check“.",
	File:       "Datei",
	Offset:     "Position",
	Length:     "Länge in Bytes",
	BodyIn:     "Sein Inhalt steht in",
	Format:     "Format",
	Digest:     "Prüfsumme des Inhalts",
	Leads:      "Wohin sie führt",
	Embeds:     "Was die Seite einbindet",
	Parts:      Count{One: "{0} Teil", Other: "{0} Teile"},
	Missing:    Count{One: "{0} wurde nie aufgenommen", Other: "{0} wurden nie aufgenommen"},
	LeftOut:    "weggelassen: {0} oder mehr",
	Unread:     "nicht auf weitere durchsucht: {0}",
	Never:      "nie aufgenommen",
	Later:      "{0} später",
	Earlier:    "{0} früher",
	Raw:        "archivierte Bytes",
	WARC:       "Datensatz als WARC",
	WACZ:       "Seite mit ihren Teilen als WACZ",
	HTTPHead:   "Archivierter HTTP-Kopf",
	RecordHead: "Kopf des Datensatzes",
	Writer:     "Was die Datei geschrieben hat",
}

var infoPersian = Info{
	From:       "این نسخهٔ بایگانی‌شدهٔ {0} از کجاست",
	Link:       "منبع و ارجاع",
	Cite:       "ارجاع به این نسخه",
	OtherForms: "به‌صورت پیوند، برای BibTeX، به‌صورت CSL-JSON",
	RobustLink: "پیوند پایدار",
	Record:     "رکورد",
	Whole:      "همین حالا تا پایان خوانده شد: کامل است و با چکیده‌هایش می‌خواند.",
	Differs:    "همین حالا تا پایان خوانده شد: کامل است، اما همه‌چیز چنان نیست که می‌گوید.",
	Damaged:    "همین حالا خوانده شد: آسیب دیده است.",
	Unchecked:  "بزرگ‌تر از آن است که در این فاصله تا پایان خوانده شود؛ «varve check» این کار را می‌کند.",
	File:       "پرونده",
	Offset:     "جایگاه",
	Length:     "اندازه به بایت",
	BodyIn:     "محتوایش در این پرونده است",
	Format:     "قالب",
	Digest:     "چکیدهٔ محتوا",
	Leads:      "به کجا می‌رود",
	Embeds:     "آنچه صفحه در خود دارد",
	Parts:      Count{One: "{0} بخش", Other: "{0} بخش"},
	Missing:    Count{One: "{0} بخش هرگز بایگانی نشده", Other: "{0} بخش هرگز بایگانی نشده‌اند"},
	LeftOut:    "کنار گذاشته‌شده: {0} یا بیشتر",
	Unread:     "برای بخش‌های دیگر کاویده‌نشده: {0}",
	Never:      "هرگز بایگانی نشده",
	Later:      "{0} بعد",
	Earlier:    "{0} پیش",
	Raw:        "بایت‌های بایگانی‌شده",
	WARC:       "رکورد به‌صورت WARC",
	WACZ:       "صفحه با همهٔ بخش‌هایش به‌صورت WACZ",
	HTTPHead:   "سرآیند HTTP بایگانی‌شده",
	RecordHead: "سرآیند رکورد",
	Writer:     "چه چیزی پرونده را نوشت",
}

var infoRussian = Info{
	From:       "Откуда эта копия {0}",
	Link:       "источник и цитата",
	Cite:       "Сослаться на эту копию",
	OtherForms: "Как ссылка, для BibTeX, как CSL-JSON",
	RobustLink: "Устойчивая ссылка",
	Record:     "Запись",
	Whole:      "Только что прочитана до конца: цела и соответствует своим контрольным суммам.",
	Differs:    "Только что прочитана до конца: цела, но не всё в ней так, как она говорит.",
	Damaged:    "Только что прочитана: повреждена.",
	Unchecked:  "Слишком велика, чтобы прочитать её до конца, пока вы ждёте; это делает «varve check».",
	File:       "Файл",
	Offset:     "Смещение",
	Length:     "Длина в байтах",
	BodyIn:     "Содержимое в файле",
	Format:     "Формат",
	Digest:     "Контрольная сумма содержимого",
	Leads:      "Куда ведёт",
	Embeds:     "Что встроено в страницу",
	Parts:      Count{One: "{0} часть", Few: "{0} части", Other: "{0} частей"},
	Missing: Count{
		One: "{0} никогда не сохранялась", Few: "{0} никогда не сохранялись", Other: "{0} никогда не сохранялись",
	},
	LeftOut:    "пропущено: {0} или больше",
	Unread:     "не просмотрено в поисках других: {0}",
	Never:      "не сохранялась",
	Later:      "на {0} позже",
	Earlier:    "на {0} раньше",
	Raw:        "сохранённые байты",
	WARC:       "запись в формате WARC",
	WACZ:       "страница со всеми частями в формате WACZ",
	HTTPHead:   "Сохранённый заголовок HTTP",
	RecordHead: "Заголовок записи",
	Writer:     "Что записало файл",
}

var infoUkrainian = Info{
	From:       "Звідки ця копія {0}",
	Link:       "джерело й цитата",
	Cite:       "Послатися на цю копію",
	OtherForms: "Як посилання, для BibTeX, як CSL-JSON",
	RobustLink: "Стійке посилання",
	Record:     "Запис",
	Whole:      "Щойно прочитано до кінця: він цілий і відповідає своїм контрольним сумам.",
	Differs:    "Щойно прочитано до кінця: він цілий, але не все в ньому так, як він каже.",
	Damaged:    "Щойно прочитано: він пошкоджений.",
	Unchecked:  "Завеликий, щоб прочитати його до кінця, поки ви чекаєте; це робить «varve check».",
	File:       "Файл",
	Offset:     "Зміщення",
	Length:     "Довжина в байтах",
	BodyIn:     "Вміст у файлі",
	Format:     "Формат",
	Digest:     "Контрольна сума вмісту",
	Leads:      "Куди веде",
	Embeds:     "Що вбудовано в сторінку",
	Parts:      Count{One: "{0} частина", Few: "{0} частини", Other: "{0} частин"},
	Missing: Count{
		One: "{0} ніколи не зберігалася", Few: "{0} ніколи не зберігалися", Other: "{0} ніколи не зберігалися",
	},
	LeftOut:    "пропущено: {0} або більше",
	Unread:     "не переглянуто в пошуках інших: {0}",
	Never:      "не зберігалася",
	Later:      "на {0} пізніше",
	Earlier:    "на {0} раніше",
	Raw:        "збережені байти",
	WARC:       "запис у форматі WARC",
	WACZ:       "сторінка з усіма частинами у форматі WACZ",
	HTTPHead:   "Збережений заголовок HTTP",
	RecordHead: "Заголовок запису",
	Writer:     "Що записало файл",
}

var infoChinese = Info{
	From:       "{0} 的这份存档来自何处",
	Link:       "来源与引用",
	Cite:       "引用这份存档",
	OtherForms: "链接、BibTeX、CSL-JSON",
	RobustLink: "稳固链接",
	Record:     "记录",
	Whole:      "刚刚读到末尾：完整，且与其摘要相符。",
	Differs:    "刚刚读到末尾：完整，但并非全部如其所述。",
	Damaged:    "刚刚读取：已损坏。",
	Unchecked:  "太大，无法在您等待时读到末尾；可用 “varve check” 检查。",
	File:       "文件",
	Offset:     "偏移",
	Length:     "长度（字节）",
	BodyIn:     "正文所在文件",
	Format:     "格式",
	Digest:     "内容摘要",
	Leads:      "指向何处",
	Embeds:     "页面所嵌入的内容",
	Parts:      Count{Other: "{0} 个部分"},
	Missing:    Count{Other: "{0} 个从未存档"},
	LeftOut:    "略去：{0} 个或更多",
	Unread:     "未在其中继续查找：{0}",
	Never:      "从未存档",
	Later:      "晚 {0}",
	Earlier:    "早 {0}",
	Raw:        "存档的字节",
	WARC:       "记录（WARC）",
	WACZ:       "页面及其各部分（WACZ）",
	HTTPHead:   "存档的 HTTP 头",
	RecordHead: "记录头",
	Writer:     "写入该文件的程序",
}
