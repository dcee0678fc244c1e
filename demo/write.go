package demo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/varve-archive/varve/internal/disk"
)

// Write writes the sample archive into dir, which it creates if needed, and returns the paths of its WARC files,
// oldest first. It replaces existing files by ones with the same bytes, which a server may be reading.
func Write(dir string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	s, err := loadSite()
	if err != nil {
		return nil, err
	}
	c := &crawler{site: s, seen: map[string]original{}}
	var files []string
	for _, crawls := range byEra(crawlTimes()) {
		file := filepath.Join(dir, fmt.Sprintf("riverbend-%d.warc.gz", crawls[0].Year()))
		if err := c.writeFile(file, crawls); err != nil {
			return files, err
		}
		files = append(files, file)
	}
	return files, nil
}

// byEra splits crawls by the designs of the site, one file each.
func byEra(times []time.Time) [][]time.Time {
	var eras [][]time.Time
	for i, t := range times {
		if i == 0 || (t.Year() != times[i-1].Year() && (t.Year() == 2013 || t.Year() == 2019)) {
			eras = append(eras, nil)
		}
		eras[len(eras)-1] = append(eras[len(eras)-1], t)
	}
	return eras
}

func (c *crawler) writeFile(name string, crawls []time.Time) error {
	var file bytes.Buffer
	c.out = newWARCWriter(&file)
	if err := c.out.info(crawls[0], filepath.Base(name)); err != nil {
		return err
	}
	for _, t := range crawls {
		if err := c.visit(t); err != nil {
			return err
		}
	}
	return disk.Write(name, file.Bytes(), 0o644)
}
