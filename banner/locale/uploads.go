package locale

// Uploads has the texts of what takes files from readers, in one language; see [Language].
type Uploads struct {
	AddFiles     string // heading
	Hint         string // {0} a size
	NoPlace      string // why no files can be handed in on a page
	Into         string // label: which collection
	Which        string // label: which files
	Add          string // button
	Sending      string // these four: {0} a percentage
	Checking     string
	Indexing     string
	Waiting      string
	Added        string
	HaveIt       string
	NotAdded     string
	NotIndexed   string
	KeptAs       string // {0} a name
	SameAs       string // {0} a name
	Damaged      Count
	AtByte       string // {0} a number
	FirstPages   string
	ToCollection string
	Lost         string
	TooLarge     string // {0} a size
	AddedFiles   string // heading
	AddMore      string
	Refused      Refusals
}

var uploadsEnglish = Uploads{
	AddFiles: "Add files",
	Hint: "Drop WARC, ARC or WACZ files anywhere on this page, or choose them here: up to {0} each. What " +
		"is in them can be read when they are checked and indexed.",
	NoPlace: "Files can't be added here: archived pages share this page's address, and browsers keep them " +
		"apart only over https or on the server's own machine.",
	Into:       "Into the collection",
	Which:      "Files",
	Add:        "Add",
	Sending:    "Sending: {0}",
	Checking:   "Checking: {0}",
	Indexing:   "Indexing: {0}",
	Waiting:    "Waiting for other files",
	Added:      "Added",
	HaveIt:     "The collection has it already",
	NotAdded:   "Not added",
	NotIndexed: "Kept, not indexed yet",
	KeptAs:     "kept as {0}",
	SameAs:     "as {0}",
	Damaged: Count{
		One:   "{0} place in it is damaged; what can be read is there.",
		Other: "{0} places in it are damaged; what can be read is there.",
	},
	AtByte:       "byte {0}",
	FirstPages:   "Pages to begin with",
	ToCollection: "To the collection",
	Lost:         "The connection ended before the file was whole on the server. Add it again.",
	TooLarge:     "It is larger than {0}.",
	AddedFiles:   "Added files",
	AddMore:      "Add more files",
	Refused:      refusalsEnglish,
}

var uploadsGerman = Uploads{
	AddFiles: "Dateien hinzufügen",
	Hint: "Ziehen Sie WARC-, ARC- oder WACZ-Dateien irgendwo auf diese Seite, oder wählen Sie sie hier: " +
		"bis zu {0} je Datei. Was darin ist, kann gelesen werden, sobald sie geprüft und indexiert sind.",
	NoPlace: "Hier können keine Dateien hinzugefügt werden: archivierte Seiten haben dieselbe Adresse wie " +
		"diese Seite, und Browser trennen sie nur über https oder auf dem Rechner des Servers.",
	Into:       "In die Sammlung",
	Which:      "Dateien",
	Add:        "Hinzufügen",
	Sending:    "Wird gesendet: {0}",
	Checking:   "Wird geprüft: {0}",
	Indexing:   "Wird indexiert: {0}",
	Waiting:    "Wartet auf andere Dateien",
	Added:      "Hinzugefügt",
	HaveIt:     "Die Sammlung hat sie schon",
	NotAdded:   "Nicht hinzugefügt",
	NotIndexed: "Aufbewahrt, noch nicht indexiert",
	KeptAs:     "aufbewahrt als {0}",
	SameAs:     "als {0}",
	Damaged: Count{
		One:   "{0} Stelle darin ist beschädigt; was lesbar ist, ist da.",
		Other: "{0} Stellen darin sind beschädigt; was lesbar ist, ist da.",
	},
	AtByte:       "Byte {0}",
	FirstPages:   "Seiten für den Anfang",
	ToCollection: "Zur Sammlung",
	Lost:         "Die Verbindung brach ab, bevor die Datei ganz beim Server war. Fügen Sie sie noch einmal hinzu.",
	TooLarge:     "Sie ist größer als {0}.",
	AddedFiles:   "Hinzugefügte Dateien",
	AddMore:      "Weitere Dateien hinzufügen",
	Refused:      refusalsGerman,
}

var uploadsPersian = Uploads{
	AddFiles: "افزودن پرونده",
	Hint: "پرونده‌های WARC، ARC یا WACZ را هر جای این صفحه رها کنید یا این‌جا برگزینید: هر کدام تا {0}. " +
		"پس از بررسی و نمایه شدن، آنچه در آن‌هاست خواندنی است.",
	NoPlace: "این‌جا نمی‌توان پرونده‌ای افزود: صفحه‌های بایگانی‌شده نشانی همین صفحه را دارند و مرورگرها " +
		"آن‌ها را تنها با https یا روی خود دستگاه کارساز جدا نگه می‌دارند.",
	Into:       "به مجموعهٔ",
	Which:      "پرونده‌ها",
	Add:        "افزودن",
	Sending:    "در حال فرستادن: {0}",
	Checking:   "در حال بررسی: {0}",
	Indexing:   "در حال نمایه‌سازی: {0}",
	Waiting:    "در انتظار پرونده‌های دیگر",
	Added:      "افزوده شد",
	HaveIt:     "مجموعه آن را دارد",
	NotAdded:   "افزوده نشد",
	NotIndexed: "نگه داشته شد، هنوز نمایه نشده است",
	KeptAs:     "با نام {0} نگه داشته شد",
	SameAs:     "با نام {0}",
	Damaged: Count{
		One:   "{0} جای آن آسیب دیده است؛ آنچه خواندنی است هست.",
		Other: "{0} جای آن آسیب دیده است؛ آنچه خواندنی است هست.",
	},
	AtByte:       "بایت {0}",
	FirstPages:   "صفحه‌هایی برای آغاز",
	ToCollection: "به مجموعه",
	Lost:         "پیوند پیش از آن‌که همهٔ پرونده به کارساز برسد بریده شد. دوباره آن را بیفزایید.",
	TooLarge:     "از {0} بزرگ‌تر است.",
	AddedFiles:   "پرونده‌های افزوده",
	AddMore:      "افزودن پرونده‌های دیگر",
	Refused:      refusalsPersian,
}

var uploadsRussian = Uploads{
	AddFiles: "Добавить файлы",
	Hint: "Перетащите файлы WARC, ARC или WACZ в любое место этой страницы или выберите их здесь: до {0} " +
		"каждый. Их содержимое можно читать, когда они проверены и проиндексированы.",
	NoPlace: "Здесь нельзя добавить файлы: у архивных страниц тот же адрес, что и у этой, а браузеры " +
		"разделяют их только по https или на самой машине сервера.",
	Into:       "В коллекцию",
	Which:      "Файлы",
	Add:        "Добавить",
	Sending:    "Отправка: {0}",
	Checking:   "Проверка: {0}",
	Indexing:   "Индексирование: {0}",
	Waiting:    "Ждёт других файлов",
	Added:      "Добавлено",
	HaveIt:     "В коллекции он уже есть",
	NotAdded:   "Не добавлено",
	NotIndexed: "Сохранён, ещё не проиндексирован",
	KeptAs:     "сохранён как {0}",
	SameAs:     "как {0}",
	Damaged: Count{
		One:   "В нём повреждено {0} место; всё, что читается, на месте.",
		Few:   "В нём повреждены {0} места; всё, что читается, на месте.",
		Many:  "В нём повреждено {0} мест; всё, что читается, на месте.",
		Other: "В нём повреждены {0} места; всё, что читается, на месте.",
	},
	AtByte:       "байт {0}",
	FirstPages:   "Страницы для начала",
	ToCollection: "К коллекции",
	Lost:         "Соединение прервалось, прежде чем файл целиком дошёл до сервера. Добавьте его снова.",
	TooLarge:     "Он больше чем {0}.",
	AddedFiles:   "Добавленные файлы",
	AddMore:      "Добавить ещё файлы",
	Refused:      refusalsRussian,
}

var uploadsUkrainian = Uploads{
	AddFiles: "Додати файли",
	Hint: "Перетягніть файли WARC, ARC або WACZ будь-куди на цю сторінку або виберіть їх тут: до {0} " +
		"кожен. Їхній вміст можна читати, коли їх перевірено й проіндексовано.",
	NoPlace: "Тут не можна додати файли: архівні сторінки мають ту саму адресу, що й ця, а браузери " +
		"розділяють їх лише через https або на самій машині сервера.",
	Into:       "До колекції",
	Which:      "Файли",
	Add:        "Додати",
	Sending:    "Надсилання: {0}",
	Checking:   "Перевірка: {0}",
	Indexing:   "Індексування: {0}",
	Waiting:    "Чекає на інші файли",
	Added:      "Додано",
	HaveIt:     "У колекції він уже є",
	NotAdded:   "Не додано",
	NotIndexed: "Збережено, ще не проіндексовано",
	KeptAs:     "збережено як {0}",
	SameAs:     "як {0}",
	Damaged: Count{
		One:   "У ньому пошкоджено {0} місце; усе, що читається, є.",
		Few:   "У ньому пошкоджено {0} місця; усе, що читається, є.",
		Many:  "У ньому пошкоджено {0} місць; усе, що читається, є.",
		Other: "У ньому пошкоджено {0} місця; усе, що читається, є.",
	},
	AtByte:       "байт {0}",
	FirstPages:   "Сторінки для початку",
	ToCollection: "До колекції",
	Lost:         "З’єднання перервалося, перш ніж файл цілком надійшов на сервер. Додайте його знову.",
	TooLarge:     "Він більший за {0}.",
	AddedFiles:   "Додані файли",
	AddMore:      "Додати ще файли",
	Refused:      refusalsUkrainian,
}

var uploadsChinese = Uploads{
	AddFiles:     "添加文件",
	Hint:         "把 WARC、ARC 或 WACZ 文件拖到本页任意位置，或在此选择：每个最大 {0}。检查并建立索引后即可阅读其中的内容。",
	NoPlace:      "这里不能添加文件：存档页面与本页地址相同，只有通过 https 或在服务器本机上，浏览器才会把它们隔开。",
	Into:         "加入馆藏",
	Which:        "文件",
	Add:          "添加",
	Sending:      "正在发送：{0}",
	Checking:     "正在检查：{0}",
	Indexing:     "正在建立索引：{0}",
	Waiting:      "等待其他文件",
	Added:        "已添加",
	HaveIt:       "馆藏中已有此文件",
	NotAdded:     "未添加",
	NotIndexed:   "已保存，尚未建立索引",
	KeptAs:       "保存为 {0}",
	SameAs:       "名为 {0}",
	Damaged:      Count{Other: "其中 {0} 处已损坏；能读取的都在。"},
	AtByte:       "第 {0} 字节",
	FirstPages:   "可从这些页面开始",
	ToCollection: "前往馆藏",
	Lost:         "文件还没有完整到达服务器，连接就中断了。请重新添加。",
	TooLarge:     "文件大于 {0}。",
	AddedFiles:   "已添加的文件",
	AddMore:      "添加更多文件",
	Refused:      refusalsChinese,
}
