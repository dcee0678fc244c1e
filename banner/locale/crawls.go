package locale

// Crawls has the texts of the pages about crawls, in one language; see [Language].
type Crawls struct {
	Title         string // heading
	One           string // {0} a name
	None          string
	Begin         string // precedes a command
	All           string // a link
	New           string // these six: what a crawl is doing
	Running       string
	Paused        string
	Completed     string
	Stopped       string
	Failed        string
	GoesOn        string
	Reached       string // {0} a key of a crawl file
	Why           string // precedes an error
	Pages         string // these are labels
	OfMost        string // {0} and {1} numbers
	Parts         string
	Documents     string
	PerPage       string
	Received      string
	Took          string
	Rate          string
	Now           string
	Answers       string
	LeftOut       string
	Traps         string
	Settings      string // heading
	Seeds         string // label
	Begun         string // label
	Started       string // label
	Last          string // label
	Into          string // label
	Recent        string // heading
	Failures      string // heading
	Address       string // heads of columns
	Answer        string
	When          string
	State         string
	Pause         string // buttons
	Resume        string
	Stop          string
	NoPlace       string // why there are no buttons
	ByRobots      string // reasons
	ByScope       string
	ByDepth       string
	ByExcluded    string
	ByPrivate     string
	ByUnreachable string
	ByMalformed   string
	ByTrap        string
	TrapLength    string // sorts of traps
	TrapPath      string
	TrapRedirects string
	TrapCalendar  string
	TrapRequests  string
	TrapLinks     string
	FailedSteps   string // actions that could not be performed
}

var crawlsEnglish = Crawls{
	Title:     "Crawls",
	One:       "Crawl {0}",
	None:      "Nothing has been crawled here yet.",
	Begin:     "A crawl is begun on the command line, and shows here from then on:",
	All:       "All crawls",
	New:       "about to begin",
	Running:   "running",
	Paused:    "paused",
	Completed: "completed",
	Stopped:   "stopped",
	Failed:    "failed",
	GoesOn:    "The same command goes on with it.",
	Reached:   "It reached the limit {0}.",
	Why:       "It failed for this reason:",
	Pages:     "Pages",
	OfMost:    "{0} of at most {1}",
	Parts:     "Images, styles and the like",
	Documents: "Documents",
	PerPage:   "Documents per page",
	Received:  "Received",
	Took:      "Time",
	Rate:      "Pages per second",
	Now:       "Asked for last",
	Answers:   "Answers by status code",
	LeftOut:   "Left out",
	Traps:     "Traps",
	Settings:  "Settings",
	Seeds:     "Begins at",
	Begun:     "Begun",
	Started:   "Last run since",
	Last:      "Last heard of",
	Into:      "Collection",
	Recent:    "Asked for last, the newest first",
	Failures:  "What failed last, the newest first",
	Address:   "Address",
	Answer:    "Answer",
	When:      "When",
	State:     "State",
	Pause:     "Pause",
	Resume:    "Resume",
	Stop:      "Stop",
	NoPlace: "Crawls can't be steered here: archived pages share this page's address, and browsers keep them " +
		"apart only over https or on the server's own machine.",
	ByRobots:      "robots.txt forbids it",
	ByScope:       "outside the scope",
	ByDepth:       "too many jumps away",
	ByExcluded:    "excluded by the settings",
	ByPrivate:     "not on the public Internet",
	ByUnreachable: "no answer",
	ByMalformed:   "not a valid address",
	ByTrap:        "a trap",
	TrapLength:    "an endless address",
	TrapPath:      "a path that repeats itself",
	TrapRedirects: "too many redirects",
	TrapCalendar:  "an endless calendar",
	TrapRequests:  "a page that asks for too much",
	TrapLinks:     "too many links on a page",
	FailedSteps:   "Actions that failed",
}

var crawlsGerman = Crawls{
	Title:     "Crawls",
	One:       "Crawl {0}",
	None:      "Hier wurde noch nichts gecrawlt.",
	Begin:     "Ein Crawl wird auf der Kommandozeile begonnen und ist von da an hier zu sehen:",
	All:       "Alle Crawls",
	New:       "beginnt gleich",
	Running:   "läuft",
	Paused:    "pausiert",
	Completed: "abgeschlossen",
	Stopped:   "angehalten",
	Failed:    "fehlgeschlagen",
	GoesOn:    "Derselbe Befehl setzt ihn fort.",
	Reached:   "Er hat die Grenze {0} erreicht.",
	Why:       "Er ist aus diesem Grund fehlgeschlagen:",
	Pages:     "Seiten",
	OfMost:    "{0} von höchstens {1}",
	Parts:     "Bilder, Stile und dergleichen",
	Documents: "Dokumente",
	PerPage:   "Dokumente je Seite",
	Received:  "Empfangen",
	Took:      "Zeit",
	Rate:      "Seiten je Sekunde",
	Now:       "Zuletzt angefragt",
	Answers:   "Antworten nach Statuscode",
	LeftOut:   "Ausgelassen",
	Traps:     "Fallen",
	Settings:  "Einstellungen",
	Seeds:     "Beginnt bei",
	Begun:     "Begonnen",
	Started:   "Letzter Lauf seit",
	Last:      "Zuletzt gehört",
	Into:      "Sammlung",
	Recent:    "Zuletzt angefragt, das Neueste zuerst",
	Failures:  "Zuletzt fehlgeschlagen, das Neueste zuerst",
	Address:   "Adresse",
	Answer:    "Antwort",
	When:      "Wann",
	State:     "Zustand",
	Pause:     "Pausieren",
	Resume:    "Fortsetzen",
	Stop:      "Anhalten",
	NoPlace: "Crawls können hier nicht gesteuert werden: archivierte Seiten haben dieselbe Adresse wie diese " +
		"Seite, und Browser trennen sie nur über https oder auf dem Rechner des Servers.",
	ByRobots:      "robots.txt verbietet es",
	ByScope:       "außerhalb des Bereichs",
	ByDepth:       "zu viele Sprünge entfernt",
	ByExcluded:    "von den Einstellungen ausgeschlossen",
	ByPrivate:     "nicht im öffentlichen Internet",
	ByUnreachable: "keine Antwort",
	ByMalformed:   "keine gültige Adresse",
	ByTrap:        "eine Falle",
	TrapLength:    "eine endlose Adresse",
	TrapPath:      "ein Pfad, der sich wiederholt",
	TrapRedirects: "zu viele Weiterleitungen",
	TrapCalendar:  "ein endloser Kalender",
	TrapRequests:  "eine Seite, die zu viel anfordert",
	TrapLinks:     "zu viele Links auf einer Seite",
	FailedSteps:   "Gescheiterte Aktionen",
}

var crawlsPersian = Crawls{
	Title:     "خزش‌ها",
	One:       "خزش {0}",
	None:      "این‌جا هنوز چیزی خزش نشده است.",
	Begin:     "خزش در خط فرمان آغاز می‌شود و از آن پس این‌جا دیده می‌شود:",
	All:       "همهٔ خزش‌ها",
	New:       "در آستانهٔ آغاز",
	Running:   "در جریان",
	Paused:    "درنگ کرده",
	Completed: "به پایان رسیده",
	Stopped:   "ایستاده",
	Failed:    "ناکام مانده",
	GoesOn:    "همان فرمان آن را ادامه می‌دهد.",
	Reached:   "به مرز {0} رسید.",
	Why:       "به این دلیل ناکام ماند:",
	Pages:     "صفحه‌ها",
	OfMost:    "{0} از حداکثر {1}",
	Parts:     "تصویرها، سبک‌ها و مانند آن",
	Documents: "سندها",
	PerPage:   "سند در هر صفحه",
	Received:  "دریافت‌شده",
	Took:      "زمان",
	Rate:      "صفحه در ثانیه",
	Now:       "آخرین درخواست",
	Answers:   "پاسخ‌ها بر پایهٔ کد وضعیت",
	LeftOut:   "کنار گذاشته",
	Traps:     "دام‌ها",
	Settings:  "تنظیم‌ها",
	Seeds:     "آغاز از",
	Begun:     "آغاز",
	Started:   "آخرین اجرا از",
	Last:      "آخرین خبر",
	Into:      "مجموعه",
	Recent:    "آخرین درخواست‌ها، تازه‌ترین در آغاز",
	Failures:  "آخرین ناکامی‌ها، تازه‌ترین در آغاز",
	Address:   "نشانی",
	Answer:    "پاسخ",
	When:      "کِی",
	State:     "وضعیت",
	Pause:     "درنگ",
	Resume:    "ادامه",
	Stop:      "ایست",
	NoPlace: "این‌جا نمی‌توان خزش را هدایت کرد: صفحه‌های بایگانی‌شده نشانی همین صفحه را دارند و مرورگرها " +
		"آن‌ها را تنها با https یا روی خود دستگاه کارساز جدا نگه می‌دارند.",
	ByRobots:      "robots.txt اجازه نمی‌دهد",
	ByScope:       "بیرون از دامنه",
	ByDepth:       "پرش‌های بسیار دور",
	ByExcluded:    "کنارگذاشته به حکم تنظیم‌ها",
	ByPrivate:     "نه در اینترنت همگانی",
	ByUnreachable: "بی‌پاسخ",
	ByMalformed:   "نشانی نادرست",
	ByTrap:        "دام",
	TrapLength:    "نشانی بی‌پایان",
	TrapPath:      "مسیری که تکرار می‌شود",
	TrapRedirects: "بازفرستی‌های بسیار",
	TrapCalendar:  "تقویم بی‌پایان",
	TrapRequests:  "صفحه‌ای که بیش از اندازه درخواست می‌کند",
	TrapLinks:     "پیوندهای بیش از اندازه در یک صفحه",
	FailedSteps:   "کنش‌های ناموفق",
}

var crawlsRussian = Crawls{
	Title:     "Обходы",
	One:       "Обход {0}",
	None:      "Здесь ещё ничего не обходили.",
	Begin:     "Обход начинают в командной строке; с этого момента он виден здесь:",
	All:       "Все обходы",
	New:       "вот-вот начнётся",
	Running:   "идёт",
	Paused:    "приостановлен",
	Completed: "завершён",
	Stopped:   "остановлен",
	Failed:    "не удался",
	GoesOn:    "Та же команда продолжит его.",
	Reached:   "Достигнут предел {0}.",
	Why:       "Он не удался по такой причине:",
	Pages:     "Страницы",
	OfMost:    "{0} из не более чем {1}",
	Parts:     "Изображения, стили и подобное",
	Documents: "Документы",
	PerPage:   "Документов на страницу",
	Received:  "Получено",
	Took:      "Время",
	Rate:      "Страниц в секунду",
	Now:       "Последний запрос",
	Answers:   "Ответы по кодам состояния",
	LeftOut:   "Пропущено",
	Traps:     "Ловушки",
	Settings:  "Настройки",
	Seeds:     "Начинается с",
	Begun:     "Начат",
	Started:   "Последний запуск с",
	Last:      "Последнее известие",
	Into:      "Коллекция",
	Recent:    "Последние запросы, новейшие сначала",
	Failures:  "Последние неудачи, новейшие сначала",
	Address:   "Адрес",
	Answer:    "Ответ",
	When:      "Когда",
	State:     "Состояние",
	Pause:     "Приостановить",
	Resume:    "Продолжить",
	Stop:      "Остановить",
	NoPlace: "Здесь нельзя управлять обходами: у архивных страниц тот же адрес, что и у этой, а браузеры " +
		"разделяют их только по https или на самой машине сервера.",
	ByRobots:      "запрещено robots.txt",
	ByScope:       "вне области",
	ByDepth:       "слишком много переходов",
	ByExcluded:    "исключено настройками",
	ByPrivate:     "не в общедоступном интернете",
	ByUnreachable: "нет ответа",
	ByMalformed:   "неправильный адрес",
	ByTrap:        "ловушка",
	TrapLength:    "бесконечный адрес",
	TrapPath:      "повторяющийся путь",
	TrapRedirects: "слишком много перенаправлений",
	TrapCalendar:  "бесконечный календарь",
	TrapRequests:  "страница с чрезмерным числом запросов",
	TrapLinks:     "слишком много ссылок на странице",
	FailedSteps:   "Неудавшиеся действия",
}

var crawlsUkrainian = Crawls{
	Title:     "Обходи",
	One:       "Обхід {0}",
	None:      "Тут ще нічого не обходили.",
	Begin:     "Обхід починають у командному рядку; відтоді його видно тут:",
	All:       "Усі обходи",
	New:       "ось-ось почнеться",
	Running:   "триває",
	Paused:    "призупинено",
	Completed: "завершено",
	Stopped:   "зупинено",
	Failed:    "не вдався",
	GoesOn:    "Та сама команда продовжить його.",
	Reached:   "Досягнуто межі {0}.",
	Why:       "Він не вдався з такої причини:",
	Pages:     "Сторінки",
	OfMost:    "{0} із щонайбільше {1}",
	Parts:     "Зображення, стилі тощо",
	Documents: "Документи",
	PerPage:   "Документів на сторінку",
	Received:  "Отримано",
	Took:      "Час",
	Rate:      "Сторінок за секунду",
	Now:       "Останній запит",
	Answers:   "Відповіді за кодами стану",
	LeftOut:   "Пропущено",
	Traps:     "Пастки",
	Settings:  "Налаштування",
	Seeds:     "Починається з",
	Begun:     "Почато",
	Started:   "Останній запуск з",
	Last:      "Остання звістка",
	Into:      "Колекція",
	Recent:    "Останні запити, найновіші спочатку",
	Failures:  "Останні невдачі, найновіші спочатку",
	Address:   "Адреса",
	Answer:    "Відповідь",
	When:      "Коли",
	State:     "Стан",
	Pause:     "Призупинити",
	Resume:    "Продовжити",
	Stop:      "Зупинити",
	NoPlace: "Тут не можна керувати обходами: архівні сторінки мають ту саму адресу, що й ця, а браузери " +
		"розділяють їх лише через https або на самій машині сервера.",
	ByRobots:      "заборонено robots.txt",
	ByScope:       "поза областю",
	ByDepth:       "забагато переходів",
	ByExcluded:    "вилучено налаштуваннями",
	ByPrivate:     "не в загальнодоступному інтернеті",
	ByUnreachable: "немає відповіді",
	ByMalformed:   "неправильна адреса",
	ByTrap:        "пастка",
	TrapLength:    "нескінченна адреса",
	TrapPath:      "шлях, що повторюється",
	TrapRedirects: "забагато перенаправлень",
	TrapCalendar:  "нескінченний календар",
	TrapRequests:  "сторінка із надмірною кількістю запитів",
	TrapLinks:     "забагато посилань на сторінці",
	FailedSteps:   "Невдалі дії",
}

var crawlsChinese = Crawls{
	Title:         "抓取",
	One:           "抓取 {0}",
	None:          "这里还没有抓取过任何内容。",
	Begin:         "抓取在命令行启动，此后会显示在这里：",
	All:           "所有抓取",
	New:           "即将开始",
	Running:       "进行中",
	Paused:        "已暂停",
	Completed:     "已完成",
	Stopped:       "已停止",
	Failed:        "失败",
	GoesOn:        "用同一条命令即可继续。",
	Reached:       "已达到限制 {0}。",
	Why:           "失败原因：",
	Pages:         "页面",
	OfMost:        "{0}，最多 {1}",
	Parts:         "图像、样式等",
	Documents:     "文档",
	PerPage:       "每页文档数",
	Received:      "已接收",
	Took:          "用时",
	Rate:          "每秒页面数",
	Now:           "最近请求",
	Answers:       "按状态码统计的应答",
	LeftOut:       "已略过",
	Traps:         "陷阱",
	Settings:      "设置",
	Seeds:         "起点",
	Begun:         "开始于",
	Started:       "最近一次运行始于",
	Last:          "最后消息",
	Into:          "馆藏",
	Recent:        "最近的请求（新的在前）",
	Failures:      "最近的失败（新的在前）",
	Address:       "地址",
	Answer:        "应答",
	When:          "时间",
	State:         "状态",
	Pause:         "暂停",
	Resume:        "继续",
	Stop:          "停止",
	NoPlace:       "这里不能控制抓取：存档页面与本页地址相同，只有通过 https 或在服务器本机上，浏览器才会把它们隔开。",
	ByRobots:      "robots.txt 禁止",
	ByScope:       "超出范围",
	ByDepth:       "跳转过多",
	ByExcluded:    "被设置排除",
	ByPrivate:     "不在公共互联网上",
	ByUnreachable: "没有应答",
	ByMalformed:   "地址无效",
	ByTrap:        "陷阱",
	TrapLength:    "过长的地址",
	TrapPath:      "重复的路径",
	TrapRedirects: "重定向过多",
	TrapCalendar:  "无尽的日历",
	TrapRequests:  "请求过多的页面",
	TrapLinks:     "页面链接过多",
	FailedSteps:   "失败的操作",
}
