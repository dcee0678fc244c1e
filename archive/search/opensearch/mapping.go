package opensearch

import "github.com/varve-archive/varve/archive/fields"

// format numbers the layout of documents, and the form of words in them. An index of another format is rebuilt beside it.
const format = 3

// The kinds of documents.
const (
	kindPage    = "page"
	kindVersion = "version"
	kindState   = "state"
)

type object = map[string]any

// settings are those of a new index. Texts are sent tokenized, with spaces between words.
func settings() object {
	return object{
		"index": object{
			"auto_expand_replicas": "0-1", "refresh_interval": "1s", "mapping.total_fields.limit": 10_000,
			"analysis": object{"analyzer": object{"words": object{"type": "whitespace", "max_token_length": 255}}},
		},
	}
}

// properties are the fields of documents, with the fields of templates.
func properties(set *fields.Set) object {
	keyword := object{"type": "keyword"}
	words := object{"type": "text", "analyzer": "words"}
	long, flag := object{"type": "long"}, object{"type": "boolean"}
	title := object{"type": "keyword", "ignore_above": 8000, "normalizer": "lowercase"}
	stored := object{"type": "keyword", "index": false, "doc_values": false}
	kept := object{"type": "object", "enabled": false}
	out := object{
		"kind": keyword, "key": keyword, "host": keyword,
		// documents of pages
		"signature": keyword, "versions": long, "history": object{"type": "binary"}, "beside": kept,
		"words": keyword, "titlewords": keyword, "titles": keyword,
		"links": keyword, "anchors": keyword,
		// documents of versions
		"address": words, "addresswords": keyword, "text": words, "older": words, "title": words,
		"fewer": keyword, "cut": keyword, "put": keyword,
		"cuttimes": keyword, "puttimes": keyword, "first": long, "last": long, "until": long, "after": long, "year": keyword, "years": keyword,
		"before": long, "size": long, "titled": title, "oldertitled": title,
		"length": long, "status": long, "mime": keyword, "lang": keyword, "shown": flag, "edit": flag, "gone": flag, "came": flag,
		// the document of the state
		"archive": stored, "rules": stored, "pages": long, "format": long, "moves": long,
	}
	named := object{}
	for _, c := range set.Columns() {
		of := object{"words": object{"type": "text", "analyzer": "words", "position_increment_gap": 100}, "value": title}
		if c.Type.Ordered() {
			of["number"] = object{"type": "double"}
		}
		named[c.Name] = object{"properties": of}
	}
	out["named"] = object{"dynamic": false, "properties": named}
	return out
}
