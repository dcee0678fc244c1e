package warc

import (
	"encoding/json"
	"strconv"
	"strings"
)

func jsonInt(n int64) string { return strconv.FormatInt(n, 10) }

// jsonField returns a string field of a CDXJ line.
func jsonField(line, name string) string {
	var fields map[string]string
	if err := json.Unmarshal([]byte(line[strings.IndexByte(line, '{'):]), &fields); err != nil {
		return err.Error()
	}
	return fields[name]
}
