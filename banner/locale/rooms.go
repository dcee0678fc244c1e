package locale

// Rooms has the texts of the list of addresses and of the calendar in one language; see [Language].
type Rooms struct {
	AllAddresses string
	MostChanged  string
	LastChanged  string
	AllIn        string // {0} the collection
	SortedBy     string // {0} a column
	PartsOnly    string
	AsCSV        string
	Which        string
	More         string
	Has          string
	AnyType      string
	Reading      string
	Page         string
	Document     string
	Image        string
	Media        string
	Style        string
	Script       string
	Font         string
	Data         string
	Other        string
	AnyStatus    string
	MinCaptures  string
	MinVersions  string
	MinSize      string
	Since        string
	Until        string
	Show         string
	NoneSo       string
	LiftAll      string
	ColVersions  string
	ColChanged   string
	ColSize      string
	ColPlace     string // the order of addresses

	Under        string // {0} a pattern
	InCollection string // {0} a collection
	SearchFor    string // {0} words

	MonthNames [12]string // by themselves
	Weekdays   [7]string  // from Monday, as short as in calendars
	WeekBegins int        // 0 is Monday
	YearOf     string     // {0} a year: label of its months
	DayOf      string     // {0} a date: heading of its captures
	ChooseDay  string
	MoreOfDay  Count
	PrevDay    string
	NextDay    string
	VersionsIn string // {0} a year
	NoneBegan  string // {0} a year
}

var roomsEnglish = Rooms{
	AllAddresses: "All addresses",
	MostChanged:  "those that changed most",
	LastChanged:  "those that changed last",
	AllIn:        "All addresses of the collection {0}",
	SortedBy:     "Order by: {0}",
	PartsOnly:    "There are no pages here, only parts of pages.",
	AsCSV:        "As a table (CSV)",
	Which:        "Which addresses?",
	More:         "More limits",
	Has:          "The address has",
	AnyType:      "everything",
	Reading:      "pages and documents",
	Page:         "pages",
	Document:     "documents",
	Image:        "images",
	Media:        "sound and films",
	Style:        "style sheets",
	Script:       "scripts",
	Font:         "fonts",
	Data:         "data",
	Other:        "other",
	AnyStatus:    "any",
	MinCaptures:  "Captures, at least",
	MinVersions:  "Versions, at least",
	MinSize:      "Bytes, at least",
	Since:        "Captured since",
	Until:        "Captured until",
	Show:         "Show",
	NoneSo:       "No address is like that.",
	LiftAll:      "Show all of them",
	ColVersions:  "Versions",
	ColChanged:   "Last change",
	ColSize:      "Stored",
	ColPlace:     "Address",

	Under:        "Addresses under {0}",
	InCollection: "The same address in the collection {0}",
	SearchFor:    "Search the pages for {0}",

	MonthNames: [12]string{
		"January", "February", "March", "April", "May", "June",
		"July", "August", "September", "October", "November", "December",
	},
	Weekdays:   [7]string{"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"},
	YearOf:     "The year {0}",
	DayOf:      "Captures of {0}",
	ChooseDay:  "A day leads to its captures; the small number says how many they are.",
	MoreOfDay:  Count{One: "{0} more capture in the table", Other: "{0} more captures in the table"},
	PrevDay:    "earlier day",
	NextDay:    "later day",
	VersionsIn: "Versions that began in {0}",
	NoneBegan:  "No version began in {0}.",
}

var roomsGerman = Rooms{
	AllAddresses: "Alle Adressen",
	MostChanged:  "die mit den meisten Änderungen",
	LastChanged:  "die zuletzt geänderten",
	AllIn:        "Alle Adressen der Sammlung {0}",
	SortedBy:     "Geordnet nach: {0}",
	PartsOnly:    "Hier gibt es keine Seiten, nur Teile von Seiten.",
	AsCSV:        "Als Tabelle (CSV)",
	Which:        "Welche Adressen?",
	More:         "Weiter eingrenzen",
	Has:          "In der Adresse steht",
	AnyType:      "alles",
	Reading:      "Seiten und Dokumente",
	Page:         "Seiten",
	Document:     "Dokumente",
	Image:        "Bilder",
	Media:        "Ton und Film",
	Style:        "Formatvorlagen",
	Script:       "Skripte",
	Font:         "Schriften",
	Data:         "Daten",
	Other:        "anderes",
	AnyStatus:    "jeder",
	MinCaptures:  "Aufnahmen, mindestens",
	MinVersions:  "Fassungen, mindestens",
	MinSize:      "Bytes, mindestens",
	Since:        "Aufgenommen seit",
	Until:        "Aufgenommen bis",
	Show:         "Zeigen",
	NoneSo:       "Keine Adresse ist so.",
	LiftAll:      "Alle zeigen",
	ColVersions:  "Fassungen",
	ColChanged:   "Letzte Änderung",
	ColSize:      "Gespeichert",
	ColPlace:     "Adresse",

	Under:        "Adressen unter {0}",
	InCollection: "Dieselbe Adresse in der Sammlung {0}",
	SearchFor:    "In den Seiten nach {0} suchen",

	MonthNames: [12]string{
		"Januar", "Februar", "März", "April", "Mai", "Juni",
		"Juli", "August", "September", "Oktober", "November", "Dezember",
	},
	Weekdays:   [7]string{"Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"},
	YearOf:     "Das Jahr {0}",
	DayOf:      "Aufnahmen vom {0}",
	ChooseDay:  "Ein Tag führt zu seinen Aufnahmen; die kleine Zahl sagt, wie viele es sind.",
	MoreOfDay:  Count{One: "{0} weitere Aufnahme in der Tabelle", Other: "{0} weitere Aufnahmen in der Tabelle"},
	PrevDay:    "früherer Tag",
	NextDay:    "späterer Tag",
	VersionsIn: "Fassungen, die {0} begannen",
	NoneBegan:  "{0} begann keine Fassung.",
}

var roomsPersian = Rooms{
	AllAddresses: "همهٔ نشانی‌ها",
	MostChanged:  "آن‌ها که بیشتر تغییر کردند",
	LastChanged:  "آن‌ها که تازه تغییر کردند",
	AllIn:        "همهٔ نشانی‌های مجموعهٔ {0}",
	SortedBy:     "به ترتیب: {0}",
	PartsOnly:    "این‌جا صفحه‌ای نیست، تنها بخش‌های صفحه‌ها هست.",
	AsCSV:        "به صورت جدول (CSV)",
	Which:        "کدام نشانی‌ها؟",
	More:         "محدودیت‌های بیشتر",
	Has:          "در نشانی باشد",
	AnyType:      "همه چیز",
	Reading:      "صفحه‌ها و سندها",
	Page:         "صفحه‌ها",
	Document:     "سندها",
	Image:        "تصویرها",
	Media:        "صدا و فیلم",
	Style:        "شیوه‌نامه‌ها",
	Script:       "اسکریپت‌ها",
	Font:         "قلم‌ها",
	Data:         "داده‌ها",
	Other:        "دیگر",
	AnyStatus:    "هر وضعیت",
	MinCaptures:  "ضبط‌ها، دست‌کم",
	MinVersions:  "نسخه‌ها، دست‌کم",
	MinSize:      "بایت‌ها، دست‌کم",
	Since:        "ضبط شده از",
	Until:        "ضبط شده تا",
	Show:         "نمایش",
	NoneSo:       "هیچ نشانی چنین نیست.",
	LiftAll:      "نمایش همه",
	ColVersions:  "نسخه‌ها",
	ColChanged:   "آخرین تغییر",
	ColSize:      "حجم ذخیره",
	ColPlace:     "نشانی",

	Under:        "نشانی‌های زیر {0}",
	InCollection: "همین نشانی در مجموعهٔ {0}",
	SearchFor:    "جست‌وجوی {0} در صفحه‌ها",

	MonthNames: [12]string{
		"ژانویه", "فوریه", "مارس", "آوریل", "مه", "ژوئن",
		"ژوئیه", "اوت", "سپتامبر", "اکتبر", "نوامبر", "دسامبر",
	},
	Weekdays:   [7]string{"د", "س", "چ", "پ", "ج", "ش", "ی"},
	WeekBegins: 5,
	YearOf:     "سال {0}",
	DayOf:      "ضبط‌های {0}",
	ChooseDay:  "هر روز به ضبط‌هایش می‌رسد؛ عدد کوچک شمار آن‌هاست.",
	MoreOfDay:  Count{One: "{0} ضبط دیگر در جدول", Other: "{0} ضبط دیگر در جدول"},
	PrevDay:    "روز پیشین",
	NextDay:    "روز بعدی",
	VersionsIn: "نسخه‌هایی که در {0} آغاز شدند",
	NoneBegan:  "در {0} نسخه‌ای آغاز نشد.",
}

var roomsRussian = Rooms{
	AllAddresses: "Все адреса",
	MostChanged:  "чаще всего менявшиеся",
	LastChanged:  "менявшиеся последними",
	AllIn:        "Все адреса коллекции {0}",
	SortedBy:     "Порядок: {0}",
	PartsOnly:    "Здесь нет страниц, только части страниц.",
	AsCSV:        "Таблицей (CSV)",
	Which:        "Какие адреса?",
	More:         "Ещё условия",
	Has:          "В адресе есть",
	AnyType:      "всё",
	Reading:      "страницы и документы",
	Page:         "страницы",
	Document:     "документы",
	Image:        "изображения",
	Media:        "звук и видео",
	Style:        "таблицы стилей",
	Script:       "скрипты",
	Font:         "шрифты",
	Data:         "данные",
	Other:        "другое",
	AnyStatus:    "любой",
	MinCaptures:  "Копий, не меньше",
	MinVersions:  "Версий, не меньше",
	MinSize:      "Байтов, не меньше",
	Since:        "Сохранено с",
	Until:        "Сохранено до",
	Show:         "Показать",
	NoneSo:       "Таких адресов нет.",
	LiftAll:      "Показать все",
	ColVersions:  "Версии",
	ColChanged:   "Последнее изменение",
	ColSize:      "Объём",
	ColPlace:     "Адрес",

	Under:        "Адреса под {0}",
	InCollection: "Тот же адрес в коллекции {0}",
	SearchFor:    "Искать на страницах: {0}",

	MonthNames: [12]string{
		"Январь", "Февраль", "Март", "Апрель", "Май", "Июнь",
		"Июль", "Август", "Сентябрь", "Октябрь", "Ноябрь", "Декабрь",
	},
	Weekdays:  [7]string{"Пн", "Вт", "Ср", "Чт", "Пт", "Сб", "Вс"},
	YearOf:    "{0} год",
	DayOf:     "Копии за {0}",
	ChooseDay: "День ведёт к своим копиям; маленькое число говорит, сколько их.",
	MoreOfDay: Count{
		One:   "ещё {0} копия в таблице",
		Few:   "ещё {0} копии в таблице",
		Many:  "ещё {0} копий в таблице",
		Other: "ещё {0} копии в таблице",
	},
	PrevDay:    "предыдущий день",
	NextDay:    "следующий день",
	VersionsIn: "Версии, начавшиеся в {0} году",
	NoneBegan:  "В {0} году не началась ни одна версия.",
}

var roomsUkrainian = Rooms{
	AllAddresses: "Усі адреси",
	MostChanged:  "ті, що змінювалися найчастіше",
	LastChanged:  "ті, що змінилися останніми",
	AllIn:        "Усі адреси колекції {0}",
	SortedBy:     "Порядок: {0}",
	PartsOnly:    "Тут немає сторінок, лише частини сторінок.",
	AsCSV:        "Таблицею (CSV)",
	Which:        "Які адреси?",
	More:         "Ще умови",
	Has:          "В адресі є",
	AnyType:      "усе",
	Reading:      "сторінки й документи",
	Page:         "сторінки",
	Document:     "документи",
	Image:        "зображення",
	Media:        "звук і відео",
	Style:        "таблиці стилів",
	Script:       "скрипти",
	Font:         "шрифти",
	Data:         "дані",
	Other:        "інше",
	AnyStatus:    "будь-який",
	MinCaptures:  "Копій, щонайменше",
	MinVersions:  "Версій, щонайменше",
	MinSize:      "Байтів, щонайменше",
	Since:        "Збережено від",
	Until:        "Збережено до",
	Show:         "Показати",
	NoneSo:       "Таких адрес немає.",
	LiftAll:      "Показати всі",
	ColVersions:  "Версії",
	ColChanged:   "Остання зміна",
	ColSize:      "Обсяг",
	ColPlace:     "Адреса",

	Under:        "Адреси під {0}",
	InCollection: "Та сама адреса в колекції {0}",
	SearchFor:    "Шукати на сторінках: {0}",

	MonthNames: [12]string{
		"Січень", "Лютий", "Березень", "Квітень", "Травень", "Червень",
		"Липень", "Серпень", "Вересень", "Жовтень", "Листопад", "Грудень",
	},
	Weekdays:  [7]string{"Пн", "Вт", "Ср", "Чт", "Пт", "Сб", "Нд"},
	YearOf:    "{0} рік",
	DayOf:     "Копії за {0}",
	ChooseDay: "День веде до своїх копій; мале число каже, скільки їх.",
	MoreOfDay: Count{
		One:   "ще {0} копія в таблиці",
		Few:   "ще {0} копії в таблиці",
		Many:  "ще {0} копій у таблиці",
		Other: "ще {0} копії в таблиці",
	},
	PrevDay:    "попередній день",
	NextDay:    "наступний день",
	VersionsIn: "Версії, що почалися {0} року",
	NoneBegan:  "{0} року не почалася жодна версія.",
}

var roomsChinese = Rooms{
	AllAddresses: "所有网址",
	MostChanged:  "变化最多的",
	LastChanged:  "最近变化的",
	AllIn:        "收藏 {0} 的所有网址",
	SortedBy:     "排序：{0}",
	PartsOnly:    "这里没有网页，只有网页的组成部分。",
	AsCSV:        "下载表格 (CSV)",
	Which:        "哪些网址？",
	More:         "更多条件",
	Has:          "网址包含",
	AnyType:      "全部",
	Reading:      "网页和文档",
	Page:         "网页",
	Document:     "文档",
	Image:        "图片",
	Media:        "音频和视频",
	Style:        "样式表",
	Script:       "脚本",
	Font:         "字体",
	Data:         "数据",
	Other:        "其他",
	AnyStatus:    "任意",
	MinCaptures:  "抓取次数至少",
	MinVersions:  "版本数至少",
	MinSize:      "字节数至少",
	Since:        "抓取时间从",
	Until:        "抓取时间到",
	Show:         "显示",
	NoneSo:       "没有这样的网址。",
	LiftAll:      "显示全部",
	ColVersions:  "版本",
	ColChanged:   "最近变化",
	ColSize:      "存储量",
	ColPlace:     "网址",

	Under:        "{0} 下的网址",
	InCollection: "收藏 {0} 中的同一网址",
	SearchFor:    "在网页中搜索 {0}",

	MonthNames: [12]string{
		"1月", "2月", "3月", "4月", "5月", "6月",
		"7月", "8月", "9月", "10月", "11月", "12月",
	},
	Weekdays:   [7]string{"一", "二", "三", "四", "五", "六", "日"},
	YearOf:     "{0} 年",
	DayOf:      "{0} 的抓取",
	ChooseDay:  "点击日期查看当天的抓取；小数字是抓取次数。",
	MoreOfDay:  Count{Other: "表格中还有 {0} 次抓取"},
	PrevDay:    "前一日",
	NextDay:    "后一日",
	VersionsIn: "始于 {0} 年的版本",
	NoneBegan:  "{0} 年没有新版本。",
}
