// Package similar finds pages whose text is similar to that of a capture, by the sketches of texts that the index has.
package similar
