package locale

// Inspect has the texts of the page on which a reader points at something and sees its values in all versions, in one
// language; see [Language].
type Inspect struct {
	Link       string // to the page
	Title      string // {0} the URI-R
	PageOf     string // {0} datetime
	How        string
	NoPage     string
	OtherPages string // names links to other versions
	Field      string
	CSS        string
	XPath      string
	Name       string
	TypeText   string
	TypeLink   string
	TypeImage  string
	TypeNumber string
	TypeDate   string
	Attribute  string
	Clean      string
	All        string
	Template   string
	Show       string // a button
	Add        string // a button
	Wrong      string // precedes what is wrong
	Finds      Count  // {0} elements
	AtLeast    string // {0} one of Finds
	FindsNone  string
	Holds      string // {0} in how many, {1} of how many other versions
	Within     string // names the list of an element and those around it
	SameXPath  string // precedes an expression
	Values     string
	ColFrom    string
	ColTo      string
	Changed    string
	Nothing    string

	IsRedirect   string // why a version has no values
	IsMissing    string
	IsError      string
	IsNoPage     string
	IsUnreadable string
	IsTooSlow    string

	GoOn     string
	ToCopy   string
	ForCrawl string
	ForColl  string
}

var inspectEnglish = Inspect{
	Link:         "read values from all versions",
	Title:        "Values from all versions of {0}",
	PageOf:       "The page of {0}, without its scripts",
	How:          "Click what you want to read. By keyboard: arrow keys move through the page, Enter chooses. Or type a selector.",
	NoPage:       "This capture is no HTML page that could be shown here. A selector can be typed all the same.",
	OtherPages:   "The page before and after",
	Field:        "What is read",
	CSS:          "CSS selector",
	XPath:        "or an XPath expression",
	Name:         "Name",
	TypeText:     "text",
	TypeLink:     "link",
	TypeImage:    "image",
	TypeNumber:   "number",
	TypeDate:     "date",
	Attribute:    "Attribute instead of text",
	Clean:        "Take away (regular expressions, one a line)",
	All:          "All values, not only the first",
	Template:     "Template with several fields (YAML)",
	Show:         "Show values",
	Add:          "Add to the template",
	Wrong:        "This can’t be read:",
	Finds:        Count{One: "finds {0} element on this page", Other: "finds {0} elements on this page"},
	AtLeast:      "{0} or more",
	FindsNone:    "finds nothing on this page",
	Holds:        "and exactly one in {0} of {1} other versions that were tried",
	Within:       "The element, and what it is in",
	SameXPath:    "The same as XPath:",
	Values:       "Values in all versions",
	ColFrom:      "From",
	ColTo:        "To",
	Changed:      "changed",
	Nothing:      "nothing found",
	IsRedirect:   "a redirect",
	IsMissing:    "there was no page",
	IsError:      "an error",
	IsNoPage:     "no HTML page",
	IsUnreadable: "can’t be read now",
	IsTooSlow:    "takes too long on this page",
	GoOn:         "There was no time for the rest: go on from here",
	ToCopy:       "To copy",
	ForCrawl:     "For a crawl file",
	ForColl:      "For the configuration of a collection",
}

var inspectGerman = Inspect{
	Link:   "Werte aus allen Versionen lesen",
	Title:  "Werte aus allen Versionen von {0}",
	PageOf: "Die Seite vom {0}, ohne ihre Skripte",
	How: "Klicken Sie an, was gelesen werden soll. Mit der Tastatur: Pfeiltasten gehen durch die Seite, Eingabe wählt. " +
		"Oder tippen Sie einen Selektor.",
	NoPage:       "Diese Aufnahme ist keine HTML-Seite, die hier gezeigt werden könnte. Einen Selektor tippen können Sie trotzdem.",
	OtherPages:   "Die Seite davor und danach",
	Field:        "Was gelesen wird",
	CSS:          "CSS-Selektor",
	XPath:        "oder ein XPath-Ausdruck",
	Name:         "Name",
	TypeText:     "Text",
	TypeLink:     "Link",
	TypeImage:    "Bild",
	TypeNumber:   "Zahl",
	TypeDate:     "Datum",
	Attribute:    "Attribut statt Text",
	Clean:        "Entfernen (reguläre Ausdrücke, je Zeile einer)",
	All:          "Alle Werte, nicht nur der erste",
	Template:     "Vorlage mit mehreren Feldern (YAML)",
	Show:         "Werte zeigen",
	Add:          "Zur Vorlage hinzufügen",
	Wrong:        "Das ist nicht lesbar:",
	Finds:        Count{One: "findet {0} Element auf dieser Seite", Other: "findet {0} Elemente auf dieser Seite"},
	AtLeast:      "{0} oder mehr",
	FindsNone:    "findet nichts auf dieser Seite",
	Holds:        "und genau eines in {0} von {1} anderen Versionen, die versucht wurden",
	Within:       "Das Element und worin es steht",
	SameXPath:    "Dasselbe als XPath:",
	Values:       "Werte in allen Versionen",
	ColFrom:      "Von",
	ColTo:        "Bis",
	Changed:      "geändert",
	Nothing:      "nichts gefunden",
	IsRedirect:   "eine Weiterleitung",
	IsMissing:    "es gab keine Seite",
	IsError:      "ein Fehler",
	IsNoPage:     "keine HTML-Seite",
	IsUnreadable: "jetzt nicht lesbar",
	IsTooSlow:    "dauert auf dieser Seite zu lange",
	GoOn:         "Für den Rest reichte die Zeit nicht: hier weiterlesen",
	ToCopy:       "Zum Kopieren",
	ForCrawl:     "Für eine Crawl-Datei",
	ForColl:      "Für die Konfiguration einer Sammlung",
}

var inspectPersian = Inspect{
	Link:   "خواندن مقدارها از همهٔ نسخه‌ها",
	Title:  "مقدارها از همهٔ نسخه‌های {0}",
	PageOf: "صفحه در {0}، بدون اسکریپت‌هایش",
	How: "روی چیزی که می‌خواهید خوانده شود کلیک کنید. با صفحه‌کلید: کلیدهای جهت‌دار در صفحه حرکت می‌کنند و Enter " +
		"برمی‌گزیند. یا یک گزینشگر بنویسید.",
	NoPage:       "این ضبط صفحهٔ HTML نیست که بتوان اینجا نشانش داد. با این حال می‌توان گزینشگر نوشت.",
	OtherPages:   "صفحهٔ پیش و پس از این",
	Field:        "آنچه خوانده می‌شود",
	CSS:          "گزینشگر CSS",
	XPath:        "یا عبارت XPath",
	Name:         "نام",
	TypeText:     "متن",
	TypeLink:     "پیوند",
	TypeImage:    "تصویر",
	TypeNumber:   "عدد",
	TypeDate:     "تاریخ",
	Attribute:    "ویژگی به‌جای متن",
	Clean:        "حذف کن (عبارت‌های باقاعده، هر سطر یکی)",
	All:          "همهٔ مقدارها، نه فقط نخستین",
	Template:     "الگو با چند فیلد (YAML)",
	Show:         "نمایش مقدارها",
	Add:          "افزودن به الگو",
	Wrong:        "این خوانده نمی‌شود:",
	Finds:        Count{One: "{0} عنصر در این صفحه می‌یابد", Other: "{0} عنصر در این صفحه می‌یابد"},
	AtLeast:      "{0} یا بیشتر",
	FindsNone:    "در این صفحه چیزی نمی‌یابد",
	Holds:        "و دقیقاً یکی در {0} نسخه از {1} نسخهٔ دیگر که آزموده شد",
	Within:       "عنصر و آنچه در آن جای دارد",
	SameXPath:    "همان به‌صورت XPath:",
	Values:       "مقدارها در همهٔ نسخه‌ها",
	ColFrom:      "از",
	ColTo:        "تا",
	Changed:      "تغییر کرده",
	Nothing:      "چیزی یافت نشد",
	IsRedirect:   "تغییر مسیر",
	IsMissing:    "صفحه‌ای نبود",
	IsError:      "خطا",
	IsNoPage:     "صفحهٔ HTML نیست",
	IsUnreadable: "اکنون خوانده نمی‌شود",
	IsTooSlow:    "در این صفحه بیش از حد طول می‌کشد",
	GoOn:         "برای بقیه وقت نشد: از اینجا ادامه دهید",
	ToCopy:       "برای رونوشت",
	ForCrawl:     "برای فایل خزش",
	ForColl:      "برای پیکربندی یک مجموعه",
}

var inspectRussian = Inspect{
	Link:       "прочитать значения из всех версий",
	Title:      "Значения из всех версий {0}",
	PageOf:     "Страница от {0}, без её скриптов",
	How:        "Щёлкните то, что нужно прочитать. С клавиатуры: стрелки ведут по странице, Enter выбирает. Или введите селектор.",
	NoPage:     "Эта копия не является страницей HTML, которую можно показать здесь. Селектор всё равно можно ввести.",
	OtherPages: "Страница раньше и позже",
	Field:      "Что читается",
	CSS:        "Селектор CSS",
	XPath:      "или выражение XPath",
	Name:       "Имя",
	TypeText:   "текст",
	TypeLink:   "ссылка",
	TypeImage:  "изображение",
	TypeNumber: "число",
	TypeDate:   "дата",
	Attribute:  "Атрибут вместо текста",
	Clean:      "Убрать (регулярные выражения, по одному в строке)",
	All:        "Все значения, а не только первое",
	Template:   "Шаблон из нескольких полей (YAML)",
	Show:       "Показать значения",
	Add:        "Добавить в шаблон",
	Wrong:      "Это не читается:",
	Finds: Count{
		One: "находит {0} элемент на этой странице", Few: "находит {0} элемента на этой странице",
		Many: "находит {0} элементов на этой странице", Other: "находит {0} элемента на этой странице",
	},
	AtLeast:      "{0} или больше",
	FindsNone:    "ничего не находит на этой странице",
	Holds:        "и ровно один в {0} из {1} других проверенных версий",
	Within:       "Элемент и то, в чём он находится",
	SameXPath:    "То же как XPath:",
	Values:       "Значения во всех версиях",
	ColFrom:      "С",
	ColTo:        "По",
	Changed:      "изменено",
	Nothing:      "ничего не найдено",
	IsRedirect:   "перенаправление",
	IsMissing:    "страницы не было",
	IsError:      "ошибка",
	IsNoPage:     "не страница HTML",
	IsUnreadable: "сейчас не читается",
	IsTooSlow:    "на этой странице длится слишком долго",
	GoOn:         "На остальное не хватило времени: продолжить отсюда",
	ToCopy:       "Для копирования",
	ForCrawl:     "Для файла обхода",
	ForColl:      "Для настроек коллекции",
}

var inspectUkrainian = Inspect{
	Link:       "прочитати значення з усіх версій",
	Title:      "Значення з усіх версій {0}",
	PageOf:     "Сторінка від {0}, без її скриптів",
	How:        "Клацніть те, що треба прочитати. З клавіатури: стрілки ведуть сторінкою, Enter вибирає. Або введіть селектор.",
	NoPage:     "Ця копія не є сторінкою HTML, яку можна тут показати. Селектор усе одно можна ввести.",
	OtherPages: "Сторінка раніше й пізніше",
	Field:      "Що читається",
	CSS:        "Селектор CSS",
	XPath:      "або вираз XPath",
	Name:       "Ім’я",
	TypeText:   "текст",
	TypeLink:   "посилання",
	TypeImage:  "зображення",
	TypeNumber: "число",
	TypeDate:   "дата",
	Attribute:  "Атрибут замість тексту",
	Clean:      "Прибрати (регулярні вирази, по одному в рядку)",
	All:        "Усі значення, а не лише перше",
	Template:   "Шаблон із кількох полів (YAML)",
	Show:       "Показати значення",
	Add:        "Додати до шаблону",
	Wrong:      "Це не читається:",
	Finds: Count{
		One: "знаходить {0} елемент на цій сторінці", Few: "знаходить {0} елементи на цій сторінці",
		Many: "знаходить {0} елементів на цій сторінці", Other: "знаходить {0} елемента на цій сторінці",
	},
	AtLeast:      "{0} або більше",
	FindsNone:    "нічого не знаходить на цій сторінці",
	Holds:        "і рівно один у {0} з {1} інших перевірених версій",
	Within:       "Елемент і те, в чому він міститься",
	SameXPath:    "Те саме як XPath:",
	Values:       "Значення в усіх версіях",
	ColFrom:      "Від",
	ColTo:        "До",
	Changed:      "змінено",
	Nothing:      "нічого не знайдено",
	IsRedirect:   "перенаправлення",
	IsMissing:    "сторінки не було",
	IsError:      "помилка",
	IsNoPage:     "не сторінка HTML",
	IsUnreadable: "зараз не читається",
	IsTooSlow:    "на цій сторінці триває надто довго",
	GoOn:         "На решту не вистачило часу: продовжити звідси",
	ToCopy:       "Для копіювання",
	ForCrawl:     "Для файлу обходу",
	ForColl:      "Для налаштувань колекції",
}

var inspectChinese = Inspect{
	Link:         "读取所有版本中的值",
	Title:        "{0} 所有版本中的值",
	PageOf:       "{0} 的页面，不含其脚本",
	How:          "点击要读取的内容。使用键盘：方向键在页面中移动，回车键选择。也可以输入选择器。",
	NoPage:       "此抓取不是可在此显示的 HTML 页面，但仍可输入选择器。",
	OtherPages:   "之前和之后的页面",
	Field:        "读取什么",
	CSS:          "CSS 选择器",
	XPath:        "或 XPath 表达式",
	Name:         "名称",
	TypeText:     "文本",
	TypeLink:     "链接",
	TypeImage:    "图像",
	TypeNumber:   "数字",
	TypeDate:     "日期",
	Attribute:    "属性（代替文本）",
	Clean:        "去除（正则表达式，每行一个）",
	All:          "所有值，而不只是第一个",
	Template:     "含多个字段的模板（YAML）",
	Show:         "显示值",
	Add:          "加入模板",
	Wrong:        "无法读取：",
	Finds:        Count{Other: "在此页面找到 {0} 个元素"},
	AtLeast:      "{0}或更多",
	FindsNone:    "在此页面未找到任何内容",
	Holds:        "在尝试的 {1} 个其他版本中，有 {0} 个恰好找到一个",
	Within:       "元素及其所在的元素",
	SameXPath:    "对应的 XPath：",
	Values:       "所有版本中的值",
	ColFrom:      "从",
	ColTo:        "到",
	Changed:      "已更改",
	Nothing:      "未找到",
	IsRedirect:   "重定向",
	IsMissing:    "没有页面",
	IsError:      "错误",
	IsNoPage:     "不是 HTML 页面",
	IsUnreadable: "目前无法读取",
	IsTooSlow:    "在此页面上耗时过长",
	GoOn:         "其余部分时间不够：从这里继续",
	ToCopy:       "供复制",
	ForCrawl:     "用于抓取文件",
	ForColl:      "用于馆藏的配置",
}
