package sketch

import (
	"github.com/varve-archive/varve/archive/content/hashing"
)

// A masker hashes the words of a block so that what varies by itself makes no difference: numbers, words with digits in
// them, names of months and days, and a single word between two of those ("5 marzo 2019"). A run of such words counts
// as one, however long.
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

// add takes the hash of the next word, maskedWord if it has digits.
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

// dateWords are names in dates. Other languages are covered by the rule for a word between two numbers.
var dateWords = hashing.SetOfWords(`
	january february march april may june july august september october november december
	jan feb mar apr jun jul aug sep sept oct nov dec
	monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
	am pm a.m p.m utc gmt est edt cst cdt mst mdt pst pdt cet cest`)
