package locale

// Refusals has the reasons why a file that a reader hands in is not taken, in one language; see [Language].
type Refusals struct {
	Empty       string
	OneStream   string
	NoArchive   string
	OnlyIndex   string // {0} a format
	TooSlow     string
	NothingRead string // {0} a number of bytes
	NoRecord    string
	LongList    string // {0} megabytes
	NoWACZ      string
	NoWARC      string
	ManyMembers string // {0} and {1}: numbers
	Deflated    string // {0} a name
	BadMember   string // {0} a name
	Overlap     string
	ManyDamaged string // {0} a number
	Grows       string // {0} a number
	Larger      string // {0} megabytes
	DiskFull    string
	Stopped     string
	NotWhole    string
	NotWritten  string
	Later       string
}

// Why returns the reason of a name, as the API has it, "" if there is none.
func (r *Refusals) Why(name string) string {
	switch name {
	case "empty":
		return r.Empty
	case "one-stream":
		return r.OneStream
	case "no-archive":
		return r.NoArchive
	case "only-index":
		return r.OnlyIndex
	case "too-slow":
		return r.TooSlow
	case "nothing-read":
		return r.NothingRead
	case "no-record":
		return r.NoRecord
	case "long-list":
		return r.LongList
	case "no-wacz":
		return r.NoWACZ
	case "no-warc":
		return r.NoWARC
	case "many-members":
		return r.ManyMembers
	case "deflated":
		return r.Deflated
	case "bad-member":
		return r.BadMember
	case "overlap":
		return r.Overlap
	case "many-damaged":
		return r.ManyDamaged
	case "grows":
		return r.Grows
	case "larger":
		return r.Larger
	case "disk-full":
		return r.DiskFull
	case "stopped":
		return r.Stopped
	case "not-whole":
		return r.NotWhole
	case "not-written":
		return r.NotWritten
	case "later":
		return r.Later
	}
	return ""
}

var refusalsEnglish = Refusals{
	Empty: "The file is empty.",
	OneStream: "It is compressed as one stream over several records, so none can be read at its place: " +
		"compress it record by record.",
	NoArchive:   "It is neither WARC, ARC nor WACZ.",
	OnlyIndex:   "It is an index ({0}), and has no records itself.",
	TooSlow:     "Reading it takes longer than any archive of its size does.",
	NothingRead: "No record in it can be read: damaged at byte {0}.",
	NoRecord:    "There is no record in it.",
	LongList:    "The list of its members is longer than {0} MB.",
	NoWACZ:      "It can't be read as a WACZ.",
	NoWARC:      "This WACZ holds no WARC file.",
	ManyMembers: "This WACZ holds {0} files with records, more than {1}.",
	Deflated:    "Its member {0} is deflated, so no record in it can be read at its place: store it without compression.",
	BadMember:   "Its member {0} is neither WARC nor ARC, or can't be read.",
	Overlap:     "Its members lie over one another.",
	ManyDamaged: "It is damaged at more than {0} places.",
	Grows:       "It unpacks to more than {0} times its size.",
	Larger:      "It is larger than this server takes: {0} MB.",
	DiskFull:    "The server's disk is full.",
	Stopped:     "The server was stopped.",
	NotWhole:    "It did not arrive whole.",
	NotWritten:  "It could not be received whole, or not be written; the server's log says what happened.",
	Later:       "It is stored, and could not be indexed; that is tried again when the server starts.",
}

var refusalsGerman = Refusals{
	Empty: "Die Datei ist leer.",
	OneStream: "Sie ist als ein Strom über mehrere Datensätze komprimiert; keiner lässt sich an seiner Stelle " +
		"lesen: Komprimieren Sie sie Datensatz für Datensatz.",
	NoArchive:   "Sie ist weder WARC noch ARC noch WACZ.",
	OnlyIndex:   "Sie ist ein Index ({0}) und hat selbst keine Datensätze.",
	TooSlow:     "Sie zu lesen dauert länger als bei jedem Archiv dieser Größe.",
	NothingRead: "Kein Datensatz darin ist lesbar: beschädigt bei Byte {0}.",
	NoRecord:    "Sie enthält keinen Datensatz.",
	LongList:    "Die Liste ihrer Bestandteile ist länger als {0} MB.",
	NoWACZ:      "Sie lässt sich nicht als WACZ lesen.",
	NoWARC:      "Dieses WACZ enthält keine WARC-Datei.",
	ManyMembers: "Dieses WACZ enthält {0} Dateien mit Datensätzen, mehr als {1}.",
	Deflated: "Ihr Bestandteil {0} ist komprimiert; kein Datensatz darin lässt sich an seiner Stelle lesen: " +
		"Legen Sie ihn unkomprimiert ab.",
	BadMember:   "Ihr Bestandteil {0} ist weder WARC noch ARC oder nicht lesbar.",
	Overlap:     "Ihre Bestandteile liegen übereinander.",
	ManyDamaged: "Sie ist an mehr als {0} Stellen beschädigt.",
	Grows:       "Sie wird beim Entpacken mehr als {0}-mal so groß.",
	Larger:      "Sie ist größer, als dieser Server annimmt: {0} MB.",
	DiskFull:    "Die Platte des Servers ist voll.",
	Stopped:     "Der Server wurde angehalten.",
	NotWhole:    "Sie ist nicht vollständig angekommen.",
	NotWritten: "Sie konnte nicht vollständig empfangen oder nicht geschrieben werden; das Protokoll des " +
		"Servers sagt, was geschah.",
	Later: "Sie ist gespeichert, konnte aber nicht indexiert werden; beim nächsten Start des Servers wird " +
		"es wieder versucht.",
}

var refusalsPersian = Refusals{
	Empty: "پرونده خالی است.",
	OneStream: "پرونده یک‌جا روی چند رکورد فشرده شده است و هیچ رکوردی در جای خود خواندنی نیست: آن را رکورد به " +
		"رکورد فشرده کنید.",
	NoArchive:   "این پرونده نه WARC است، نه ARC و نه WACZ.",
	OnlyIndex:   "این یک نمایه ({0}) است و خودش رکوردی ندارد.",
	TooSlow:     "خواندن آن بیش از هر بایگانی هم‌اندازه‌اش طول می‌کشد.",
	NothingRead: "هیچ رکوردی در آن خواندنی نیست: در بایت {0} آسیب دیده است.",
	NoRecord:    "هیچ رکوردی در آن نیست.",
	LongList:    "فهرست اجزای آن از {0} مگابایت بلندتر است.",
	NoWACZ:      "نمی‌توان آن را همچون WACZ خواند.",
	NoWARC:      "این WACZ پروندهٔ WARC ندارد.",
	ManyMembers: "این WACZ {0} پرونده با رکورد دارد، بیش از {1}.",
	Deflated:    "جزء {0} آن فشرده است و هیچ رکوردی در آن در جای خود خواندنی نیست: آن را بدون فشرده‌سازی ذخیره کنید.",
	BadMember:   "جزء {0} آن نه WARC است و نه ARC، یا خواندنی نیست.",
	Overlap:     "اجزای آن روی هم افتاده‌اند.",
	ManyDamaged: "در بیش از {0} جا آسیب دیده است.",
	Grows:       "پس از باز شدن بیش از {0} برابر اندازه‌اش می‌شود.",
	Larger:      "از آنچه این کارساز می‌پذیرد بزرگ‌تر است: {0} مگابایت.",
	DiskFull:    "دیسک کارساز پر است.",
	Stopped:     "کارساز متوقف شد.",
	NotWhole:    "کامل نرسید.",
	NotWritten:  "نتوانست کامل دریافت یا نوشته شود؛ گزارش کارساز می‌گوید چه شد.",
	Later:       "ذخیره شده است ولی نمایه‌سازی نشد؛ هنگام آغاز دوبارهٔ کارساز باز هم تلاش می‌شود.",
}

var refusalsRussian = Refusals{
	Empty: "Файл пуст.",
	OneStream: "Он сжат одним потоком на несколько записей, и ни одну нельзя прочесть на её месте: сожмите его " +
		"запись за записью.",
	NoArchive:   "Это не WARC, не ARC и не WACZ.",
	OnlyIndex:   "Это указатель ({0}), в нём самом нет записей.",
	TooSlow:     "Чтение занимает больше времени, чем у любого архива такого размера.",
	NothingRead: "Ни одной записи в нём нельзя прочесть: повреждён на байте {0}.",
	NoRecord:    "В нём нет записей.",
	LongList:    "Список его частей длиннее {0} МБ.",
	NoWACZ:      "Его нельзя прочесть как WACZ.",
	NoWARC:      "В этом WACZ нет файла WARC.",
	ManyMembers: "В этом WACZ {0} файлов с записями, больше чем {1}.",
	Deflated:    "Его часть {0} сжата, и записи в ней нельзя прочесть на их местах: сохраните её без сжатия.",
	BadMember:   "Его часть {0} не WARC и не ARC, или её нельзя прочесть.",
	Overlap:     "Его части лежат друг на друге.",
	ManyDamaged: "Он повреждён более чем в {0} местах.",
	Grows:       "При распаковке он становится больше более чем в {0} раз.",
	Larger:      "Он больше, чем принимает этот сервер: {0} МБ.",
	DiskFull:    "Диск сервера полон.",
	Stopped:     "Сервер был остановлен.",
	NotWhole:    "Он пришёл не целиком.",
	NotWritten:  "Его не удалось целиком принять или записать; что случилось, сказано в журнале сервера.",
	Later:       "Он сохранён, но не проиндексирован; это повторится при запуске сервера.",
}

var refusalsUkrainian = Refusals{
	Empty: "Файл порожній.",
	OneStream: "Його стиснуто одним потоком на кілька записів, і жодного не прочитати на його місці: стисніть " +
		"його запис за записом.",
	NoArchive:   "Це не WARC, не ARC і не WACZ.",
	OnlyIndex:   "Це покажчик ({0}), у ньому самому немає записів.",
	TooSlow:     "Читання триває довше, ніж у будь-якого архіву такого розміру.",
	NothingRead: "Жодного запису в ньому не прочитати: пошкоджено на байті {0}.",
	NoRecord:    "У ньому немає записів.",
	LongList:    "Список його частин довший за {0} МБ.",
	NoWACZ:      "Його не прочитати як WACZ.",
	NoWARC:      "У цьому WACZ немає файлу WARC.",
	ManyMembers: "У цьому WACZ {0} файлів із записами, більше ніж {1}.",
	Deflated:    "Його частину {0} стиснуто, і записи в ній не прочитати на їхніх місцях: збережіть її без стиснення.",
	BadMember:   "Його частина {0} не WARC і не ARC, або її не прочитати.",
	Overlap:     "Його частини лежать одна на одній.",
	ManyDamaged: "Його пошкоджено більш ніж у {0} місцях.",
	Grows:       "Після розпакування він більший більш ніж у {0} разів.",
	Larger:      "Він більший, ніж приймає цей сервер: {0} МБ.",
	DiskFull:    "Диск сервера повний.",
	Stopped:     "Сервер було зупинено.",
	NotWhole:    "Він прийшов не цілим.",
	NotWritten:  "Його не вдалося цілим прийняти або записати; що сталося, сказано в журналі сервера.",
	Later:       "Його збережено, але не проіндексовано; це повториться під час запуску сервера.",
}

var refusalsChinese = Refusals{
	Empty:       "文件是空的。",
	OneStream:   "它作为一个数据流压缩了多条记录，无法在各自位置读取：请逐条压缩。",
	NoArchive:   "它既不是 WARC、ARC，也不是 WACZ。",
	OnlyIndex:   "它是索引（{0}），本身没有记录。",
	TooSlow:     "读取它所需的时间超过同样大小的任何存档。",
	NothingRead: "其中没有可读的记录：在第 {0} 字节处损坏。",
	NoRecord:    "其中没有记录。",
	LongList:    "其成员列表超过 {0} MB。",
	NoWACZ:      "无法作为 WACZ 读取。",
	NoWARC:      "这个 WACZ 中没有 WARC 文件。",
	ManyMembers: "这个 WACZ 有 {0} 个含记录的文件，超过 {1} 个。",
	Deflated:    "其成员 {0} 已压缩，无法在各自位置读取其中的记录：请不压缩存放。",
	BadMember:   "其成员 {0} 既不是 WARC 也不是 ARC，或无法读取。",
	Overlap:     "其成员互相重叠。",
	ManyDamaged: "它有超过 {0} 处损坏。",
	Grows:       "解压后超过原大小的 {0} 倍。",
	Larger:      "它超过本服务器接受的大小：{0} MB。",
	DiskFull:    "服务器磁盘已满。",
	Stopped:     "服务器已停止。",
	NotWhole:    "它没有完整到达。",
	NotWritten:  "无法完整接收或写入；服务器日志说明了原因。",
	Later:       "已保存但未能索引；服务器启动时会再次尝试。",
}
