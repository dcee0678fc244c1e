package visible

import (
	"slices"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/corpora"
)

// skimmedAndNot reads a page with and without the skimmer.
func skimmedAndNot(t *testing.T, body []byte, contentType string) {
	t.Helper()
	lexed := Extractor{unskimmed: true}
	var skimmed Extractor
	want, got := lexed.Extract(slices.Clone(body), contentType), skimmed.Extract(slices.Clone(body), contentType)
	if got.all != want.all || got.Title != want.Title || !slices.Equal(got.Blocks, want.Blocks) || !slices.Equal(got.Pictures, want.Pictures) {
		t.Errorf("skimmed, this page reads\n%+v\nand lexed\n%+v\n%.2000q", got.Blocks, want.Blocks, body)
	}
}

func TestSkimmedPagesReadTheSame(t *testing.T) {
	corpora.Pages(t, 3, func(_ string, body []byte, contentType string) { skimmedAndNot(t, body, contentType) })
}

func FuzzSkimmedPagesReadTheSame(f *testing.F) {
	for _, page := range []string{
		"<!doctype html><title>T</title><p class=nav id='a\"b'>one<br/>two</p >three</P\n>", "<a/href=x>y</a>z<p/>q",
		"a < b <c<d <! <? </ </1> </>",
		"<!---->a<!-->b-->c<!--->d--!>e<!-- f", "<script>a<!--<script></script>--></script>b", "<script/>x</SCRIPT >y</script",
		"<style x='</style>'>a</styles>b</style>c",
		"<p class = nav role=\"menu\"id=x>a<p =class=a class>b<p class=a/>c<p / class>d",
		"<svg><p>a</p></svg><noscript><p>b</noscript>c<template>d",
		"<textarea><p>a</textarea><xmp><b></xmp><plaintext></p>", "<div class=\"unclosed><p>a", "<P CLASS=Footer>a<DIV ID=NAV>b",
		"a\x00b<p\x00c>d", "<title id=a class=nav>T &amp; <b>u</title>v<TITLE/>w</title", "a<?b>c<!>d<!d<p>e",
		"<p class=NavBar>a<p CLASS='Site-Footer'>b", "<![CDATA[a]]>b<p>c", "<scripT>a</script\x00>b</script>",
	} {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) { skimmedAndNot(t, page, "text/html; charset=utf-8") })
}
