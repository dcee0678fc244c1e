package sketch

import (
	"github.com/varve-archive/varve/archive/content/hashing"
)

// A masker hashes the words of a block and ignores what varies: numbers, words with digits, names of months and days, and a single word
// between two of those ("5 marzo 2019"). A run of such words counts as one, however long it is.
type masker struct {
	hash  uint64
	held  uint64 // a plain word after a masked one, which the next word may mask
	state maskState
	plain int  // words that were not masked
	dated bool // names of months, days or units of time occurred
}

type maskState uint8

const (
	afterPlain maskState = iota
	afterMasked
	holding
)

// maskedWord stands for every word with a digit in it.
const maskedWord = 0x5bd1e9955bd1e995

// add adds the hash of the next word, maskedWord if it has digits.
func (m *masker) add(hash uint64) {
	if hash == maskedWord || dateWords.Has(hash) {
		if m.state == afterPlain {
			m.put(maskedWord)
		}
		m.dated = m.dated || hash != maskedWord
		m.state = afterMasked
		return
	}
	switch m.state {
	case afterMasked:
		m.held, m.state = hash, holding
		return
	case holding:
		m.keep(m.held)
		m.state = afterPlain
	}
	m.keep(hash)
}

// sum ends the block and returns its hash.
func (m *masker) sum() uint64 {
	if m.state == holding {
		m.keep(m.held)
	}
	return m.hash
}

func (m *masker) keep(hash uint64) {
	m.plain++
	m.put(hash)
}

func (m *masker) put(hash uint64) { m.hash = hashing.Mix(m.hash*shingleBase + hash) }

// timeUnits are the units in phrases such as "3 hours ago".
const timeUnits = `
	moment moments second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months year years
	sekunde sekunden minuten stunde stunden tag tagen woche wochen monat monaten monate jahr jahre jahren
	seconde secondes heure heures jour jours semaine semaines mois ans
	segundo segundos minuto minutos hora horas día días dia dias semana semanas mes meses mês año años ano anos
	secondo secondi minuti ora ore giorno giorni settimana settimane mese mesi anno anni
	seconden minuut uur uren dag dagen weken maand maanden jaar
	секунд секунды минут минуты минуту час часа часов день дня дней неделю недели недель месяц месяца месяцев год года лет
	хвилин хвилини хвилину година годину годин години дні днів тиждень тижні місяць місяці рік роки років
	minut minuty minutę godzin godziny godzinę dzień dni tydzień tygodnie miesiąc miesiące miesięcy rok lata lat
	saat dakika gün hafta ay yıl
	sekunder minuter minutter timme timmar dagar vecka veckor månad månader timer dage uger dager uker måned måneder
	sekuntia minuuttia tunti tuntia päivä päivää viikko viikkoa kuukausi kuukautta vuosi vuotta
	λεπτό λεπτά ώρα ώρες ημέρα ημέρες μέρες εβδομάδα εβδομάδες μήνα μήνες χρόνια giây phút giờ ngày tuần tháng năm
	minutou minutami hodinou hodinami dnem dny týdnem týdny měsícem měsíci rokem lety
	دقيقة دقائق ساعة ساعات يوم أيام أسبوع أسابيع شهر أشهر سنة سنوات دقیقه ساعت روز هفته ماه سال
	דקה דקות שעה שעות יום ימים שבוע שבועות חודש חודשים שנה שנים`

// isTimeUnit has the hashes of timeUnits.
var isTimeUnit = hashing.SetOfWords(timeUnits)

// dateWords are names in dates, and in Chinese and Japanese, where each character is a word, the signs that make up such names. Other
// languages are covered by the rule for a word between two numbers.
var dateWords = hashing.SetOfWords(timeUnits + `
	january february march april may june july august september october november december
	jan feb mar apr jun jul aug sep sept oct nov dec
	monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
	am pm a.m p.m utc gmt est edt cst cdt mst mdt pst pdt cet cest
	januar februar märz mai juni juli oktober dezember jänner feber
	montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag uhr
	janvier février mars avril juin juillet août septembre octobre novembre décembre
	lundi mardi mercredi jeudi vendredi samedi dimanche
	enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
	lunes martes miércoles jueves viernes sábado domingo
	gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
	lunedì martedì mercoledì giovedì venerdì sabato domenica
	janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
	segunda terça quarta quinta sexta feira
	januari februari maart mei augustus oktober maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
	stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
	poniedziałek wtorek środa czwartek piątek sobota niedziela
	января февраля марта апреля мая июня июля августа сентября октября ноября декабря
	январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
	понедельник вторник среда четверг пятница суббота воскресенье
	січня лютого березня квітня травня червня липня серпня вересня жовтня листопада
	січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень
	понеділок вівторок середа п'ятниця п’ятниця пʼятниця субота неділя
	ledna února března dubna května června července srpna září října prosince
	pondělí úterý středa čtvrtek pátek neděle
	måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag augusti
	maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai
	ocak şubat nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
	pazartesi salı çarşamba perşembe cuma cumartesi pazar
	ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie decembrie luni marți miercuri joi vineri sâmbătă duminică
	ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
	δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή
	يناير فبراير مارس أبريل ابريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
	الأحد الاحد الاثنين الإثنين الثلاثاء الأربعاء الاربعاء الخميس الجمعة السبت
	فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند
	شنبه یکشنبه دوشنبه سه‌شنبه چهارشنبه پنجشنبه پنج‌شنبه جمعه
	ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
	januari maret agustus desember senin selasa rabu kamis jumat sabtu minggu
	일요일 월요일 화요일 수요일 목요일 금요일 토요일
	年 月 日 時 分 秒 星 期 週 周 曜 一 二 三 四 五 六 七 八 九 十 天 火 水 木 金 土`)
