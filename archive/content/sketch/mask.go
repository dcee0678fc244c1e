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
	plain int // words that were not masked
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
	second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months year years
	sekunde sekunden minuten stunde stunden tag tagen woche wochen monat monaten jahr jahren
	seconde secondes heure heures jour jours semaine semaines mois ans
	segundo segundos minuto minutos hora horas día días dia dias semana semanas mes meses mês año años ano anos
	secondo secondi minuti ora ore giorno giorni settimana settimane mese mesi anno anni
	seconden minuut uur uren dagen weken maand maanden jaar
	секунд секунды минут минуты минуту час часа часов день дня дней неделю недели недель месяц месяца месяцев год года лет
	хвилин хвилини хвилину година годин години дні днів тиждень тижні місяць місяці рік роки років
	minut minuty minutę godzin godziny godzinę dzień dni tydzień tygodnie miesiąc miesiące lat
	saat dakika gün hafta ay yıl timmar dagar veckor timer dage uger dager uker
	sekuntia minuuttia tunti tuntia päivä päivää viikko viikkoa kuukausi kuukautta vuosi vuotta
	λεπτό λεπτά ώρα ώρες ημέρα ημέρες μέρες εβδομάδα εβδομάδες μήνα μήνες χρόνια giây phút giờ ngày tuần tháng năm
	minutou minutami hodinou hodinami dnem dny týdnem týdny měsícem měsíci rokem lety
	دقيقة دقائق ساعة ساعات يوم أيام أسبوع أسابيع شهر أشهر سنة سنوات دقیقه ساعت روز هفته ماه سال
	דקה דקות שעה שעות יום ימים שבוע שבועות חודש חודשים שנה שנים`

// isTimeUnit has the hashes of timeUnits.
var isTimeUnit = hashing.SetOfWords(timeUnits)

// dateWords are names in dates. Other languages are covered by the rule for a word between two numbers.
var dateWords = hashing.SetOfWords(timeUnits + `
	january february march april may june july august september october november december
	jan feb mar apr jun jul aug sep sept oct nov dec
	monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
	am pm a.m p.m utc gmt est edt cst cdt mst mdt pst pdt cet cest`)
