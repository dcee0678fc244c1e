// Package query is the language of the search box: what a person types becomes a list of [Clause].
//
//	river flood          wishes: pages with both words come first, then those with one
//	+flood               the word has to be there
//	river AND flood      both have to
//	river OR flood       one of them has to
//	(a OR b) AND c       parentheses
//	"river flood"        the words one after the other
//	-mud, NOT mud        without the word
//	flood*               words that begin so
//	flod~                words with one or two letters wrong
//	title:flood          in the title
//	url:news             in the address
//	site:example.org     on this host and those below it
//
// Words are those of [tokenize.Terms]. Whatever can't be read as an operator is text, so that a query has no syntax errors:
// [Parse] refuses only what is empty, has no word, or is too long. [Query.String] writes a query as one would type it.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package query
