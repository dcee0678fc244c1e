package surt

import "strings"

// keepCase and lowerCase map the bytes that stand for themselves in a key: ! to ~ without # and %. They map all others,
// which are percent-encoded, to 0.
var keepCase, lowerCase = func() (keep, lower [256]byte) {
	for c := byte('!'); c <= '~'; c++ {
		if c == '#' || c == '%' {
			continue
		}
		keep[c], lower[c] = c, c
		if c >= 'A' && c <= 'Z' {
			lower[c] = c | 0x20
		}
	}
	return keep, lower
}()

// appendUnescaped appends s with its percent-encoding undone until none is left ("%2541" is "A"). It looks back from
// each byte instead of repeating the pass, so it takes linear time on %25252525….
func appendUnescaped(dst []byte, s string) []byte {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return append(dst, s...)
	}
	start := len(dst)
	dst = append(dst, s[:i]...)
	for ; i < len(s); i++ {
		dst = append(dst, s[i])
		for n := len(dst); n >= start+3 && dst[n-3] == '%'; n = len(dst) {
			hi, lo := unhex(dst[n-2]), unhex(dst[n-1])
			if hi > 15 || lo > 15 {
				break
			}
			dst = append(dst[:n-3], hi<<4|lo)
		}
	}
	return dst
}

func unhex(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return (c | 0x20) - 'a' + 10
	}
	return 0xff
}

// escapeTail maps dst[start:] through table and percent-encodes, in lower case, the bytes that the table maps to 0.
func escapeTail(dst []byte, start int, table *[256]byte) []byte {
	escapes := 0
	for i := start; i < len(dst); i++ {
		if c := table[dst[i]]; c != 0 {
			dst[i] = c
		} else {
			escapes++
		}
	}
	if escapes == 0 {
		return dst
	}
	from := len(dst)
	dst = append(dst, make([]byte, 2*escapes)...)
	for to := len(dst); from > start; { // from the end, so that no byte is overwritten before it is read
		from--
		c := dst[from]
		if table[c] != 0 {
			to--
			dst[to] = c
			continue
		}
		to -= 3
		dst[to], dst[to+1], dst[to+2] = '%', lowerHex[c>>4], lowerHex[c&15]
	}
	return dst
}

const lowerHex = "0123456789abcdef"

// Valid reports whether s has only bytes that are allowed in a key.
func Valid(s string) bool {
	for i := range len(s) {
		if lowerCase[s[i]] != s[i] && s[i] != '%' {
			return false
		}
	}
	return s != ""
}
