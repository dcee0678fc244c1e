// Package query is the language of the search box: it parses what a person types into a list of [Clause].
//
//	river flood          optional words: pages with both come first, then those with one
//	+flood               the word has to occur
//	river AND flood      both have to
//	river OR flood       one of them has to
//	(a OR b) AND c       parentheses
//	"river flood"        the words one after the other
//	-mud, NOT mud        without the word
//	flood*               words that begin like this
//	flod~                words with one or two letters wrong
//	title:flood          in the title
//	url:news             in the address
//	site:example.org     on this host and its subdomains
//
// Words are those of [tokenize.Terms]. Anything that isn't an operator is searched as text, so a query has no syntax errors: [Parse] only
// refuses queries that are empty, have no word, or are too long. [Query.String] writes a query as one would type it.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package query
