// Package record is a recording proxy for a browser. It forwards requests to the live web and writes requests and responses as WARC
// records, without secrets; metadata records say what was left out.
package record
