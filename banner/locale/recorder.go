package locale

// Recorder has the texts of the page that says what varve record has recorded, in one language; see [Language].
type Recorder struct {
	Title     string
	What      string
	SetProxy  string // {0} host and port
	Secrets   string // that secrets are left out
	Kept      string // that they are not
	Exchanges Count
	Same      Count // answers that were known already
	Nothing   string
	Pages     string // heading
	Failed    string // heading
	Open      string // what follows a link to a recorded page does
}

var recorderEnglish = Recorder{
	Title: "Recording",
	What: "Everything that a browser asks for through this proxy is asked of the live web, and written into " +
		"WARC files as it comes.",
	SetProxy:  "This browser does not use the proxy yet. Set its proxy for http and https to {0}, then open http://varve.proxy/.",
	Secrets:   "Passwords, credentials and the values of cookies are left out.",
	Kept:      "Passwords, credentials and cookies are written too: keep the files to yourself.",
	Exchanges: Count{One: "{0} answer recorded", Other: "{0} answers recorded"},
	Same:      Count{One: "{0} known already", Other: "{0} known already"},
	Nothing:   "Nothing was recorded yet.",
	Pages:     "Recorded pages",
	Failed:    "What could not be recorded",
	Open:      "Links lead to what was recorded, in the archive.",
}

var recorderGerman = Recorder{
	Title: "Aufzeichnung",
	What: "Alles, was ein Browser über diesen Proxy anfragt, wird vom Live-Web geholt und dabei in WARC-Dateien " +
		"geschrieben.",
	SetProxy: "Dieser Browser nutzt den Proxy noch nicht. Stellen Sie {0} als Proxy für http und https ein, " +
		"dann öffnen Sie http://varve.proxy/.",
	Secrets:   "Passwörter, Zugangsdaten und die Werte von Cookies werden weggelassen.",
	Kept:      "Auch Passwörter, Zugangsdaten und Cookies werden geschrieben: geben Sie die Dateien nicht weiter.",
	Exchanges: Count{One: "{0} Antwort aufgezeichnet", Other: "{0} Antworten aufgezeichnet"},
	Same:      Count{One: "{0} schon bekannt", Other: "{0} schon bekannt"},
	Nothing:   "Noch wurde nichts aufgezeichnet.",
	Pages:     "Aufgezeichnete Seiten",
	Failed:    "Was nicht aufgezeichnet werden konnte",
	Open:      "Die Links führen zu dem, was aufgezeichnet wurde, im Archiv.",
}

var recorderPersian = Recorder{
	Title: "ضبط",
	What:  "هر چه مرورگر از راه این پراکسی بخواهد از وب زنده گرفته و هم‌زمان در پرونده‌های WARC نوشته می‌شود.",
	SetProxy: "این مرورگر هنوز از پراکسی استفاده نمی‌کند. پراکسی http و https آن را {0} " +
		"بگذارید و سپس \u2066http://varve.proxy/\u2069 را باز کنید.",
	Secrets:   "گذرواژه‌ها، مشخصات ورود و مقدار کوکی‌ها نوشته نمی‌شوند.",
	Kept:      "گذرواژه‌ها، مشخصات ورود و کوکی‌ها نیز نوشته می‌شوند: پرونده‌ها را به کسی ندهید.",
	Exchanges: Count{One: "{0} پاسخ ضبط شد", Other: "{0} پاسخ ضبط شد"},
	Same:      Count{One: "{0} از پیش شناخته", Other: "{0} از پیش شناخته"},
	Nothing:   "هنوز چیزی ضبط نشده است.",
	Pages:     "صفحه‌های ضبط‌شده",
	Failed:    "آنچه ضبط نشد",
	Open:      "پیوندها به آنچه ضبط شده، در بایگانی، می‌روند.",
}

var recorderRussian = Recorder{
	Title:     "Запись",
	What:      "Всё, что браузер запрашивает через этот прокси, берётся из живого веба и сразу пишется в файлы WARC.",
	SetProxy:  "Этот браузер ещё не использует прокси. Укажите {0} как прокси для http и https, затем откройте http://varve.proxy/.",
	Secrets:   "Пароли, учётные данные и значения cookie не записываются.",
	Kept:      "Пароли, учётные данные и cookie тоже записываются: никому не отдавайте файлы.",
	Exchanges: Count{One: "записан {0} ответ", Few: "записано {0} ответа", Many: "записано {0} ответов", Other: "записано {0} ответа"},
	Same:      Count{One: "{0} уже известен", Few: "{0} уже известны", Many: "{0} уже известны", Other: "{0} уже известны"},
	Nothing:   "Пока ничего не записано.",
	Pages:     "Записанные страницы",
	Failed:    "Что не удалось записать",
	Open:      "Ссылки ведут к записанному, в архив.",
}

var recorderUkrainian = Recorder{
	Title:    "Запис",
	What:     "Усе, що браузер запитує через цей проксі, береться з живого вебу й одразу пишеться у файли WARC.",
	SetProxy: "Цей браузер ще не використовує проксі. Вкажіть {0} як проксі для http і https, потім відкрийте http://varve.proxy/.",
	Secrets:  "Паролі, облікові дані та значення cookie не записуються.",
	Kept:     "Паролі, облікові дані та cookie теж записуються: нікому не віддавайте файли.",
	Exchanges: Count{
		One: "записано {0} відповідь", Few: "записано {0} відповіді", Many: "записано {0} відповідей", Other: "записано {0} відповіді",
	},
	Same:    Count{One: "{0} уже відома", Few: "{0} уже відомі", Many: "{0} уже відомі", Other: "{0} уже відомі"},
	Nothing: "Ще нічого не записано.",
	Pages:   "Записані сторінки",
	Failed:  "Що не вдалося записати",
	Open:    "Посилання ведуть до записаного, в архів.",
}

var recorderChinese = Recorder{
	Title:     "录制",
	What:      "浏览器通过此代理请求的一切都取自实时网络，同时写入 WARC 文件。",
	SetProxy:  "此浏览器尚未使用代理。请将其 http 和 https 代理设为 {0}，然后打开 http://varve.proxy/。",
	Secrets:   "密码、凭据和 Cookie 的值不会写入。",
	Kept:      "密码、凭据和 Cookie 也会写入：请勿把文件交给他人。",
	Exchanges: Count{Other: "已录制 {0} 个应答"},
	Same:      Count{Other: "{0} 个已有"},
	Nothing:   "尚未录制任何内容。",
	Pages:     "已录制的网页",
	Failed:    "未能录制的内容",
	Open:      "链接通往存档中录制的内容。",
}
