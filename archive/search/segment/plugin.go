package segment

import (
	"context"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/varve-archive/varve/internal/sentinel"
)

// The name and version by which scorch identifies the format.
const (
	Name    = "varve"
	Version = 1
)

func init() { scorch.RegisterSegmentPlugin(plugin{}, false) }

// A Config is passed to segments in scorch's segmentConfig, under [Name].
type Config struct {
	codec *codec
	// Pace is called by merges after each small step with the time that the step took, and returns when the next may begin.
	Pace func(ctx context.Context, took time.Duration) error
}

// NewConfig returns a Config for one index.
func NewConfig(pace func(ctx context.Context, took time.Duration) error) (*Config, error) {
	codec, err := newCodec()
	return &Config{codec, pace}, err
}

const errNoConfig = sentinel.Error("segment: the index has no segment.Config")

func configIn(m map[string]any) (*Config, error) {
	if c, ok := m[Name].(*Config); ok {
		return c, nil
	}
	return nil, errNoConfig
}

// plugin implements scorch's interface for segment formats.
type plugin struct{}

// Type implements scorch.SegmentPlugin.
func (plugin) Type() string { return Name }

// Version implements scorch.SegmentPlugin.
func (plugin) Version() uint32 { return Version }

// New implements scorch.SegmentPlugin.
func (plugin) New([]index.Document) (segment.Segment, uint64, error) { return nil, 0, errNoConfig }

// NewUsing implements scorch.SegmentPlugin.
func (plugin) NewUsing(documents []index.Document, config map[string]any) (segment.Segment, uint64, error) {
	with, err := configIn(config)
	if err != nil {
		return nil, 0, err
	}
	c, err := build(documents, with.codec)
	if err != nil {
		return nil, 0, err
	}
	return segmentInMemory{c}, uint64(len(c.file)), nil
}

// Open implements scorch.SegmentPlugin.
func (plugin) Open(string) (segment.Segment, error) { return nil, errNoConfig }

// OpenUsing implements scorch.SegmentPlugin.
func (plugin) OpenUsing(path string, config map[string]any) (segment.Segment, error) {
	with, err := configIn(config)
	if err != nil {
		return nil, err
	}
	s, err := openFile(path, with.codec)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Merge implements scorch.SegmentPlugin.
func (plugin) Merge(
	[]segment.Segment, []*roaring.Bitmap, string, chan struct{}, segment.StatsReporter,
) ([][]uint64, uint64, error) {
	return nil, 0, errNoConfig
}

// MergeUsing implements scorch.SegmentPlugin.
func (plugin) MergeUsing(
	segments []segment.Segment, drops []*roaring.Bitmap, path string, stop chan struct{}, stats segment.StatsReporter, config map[string]any,
) ([][]uint64, uint64, error) {
	with, err := configIn(config)
	if err != nil {
		return nil, 0, err
	}
	of := make([]*content, len(segments))
	for i, s := range segments {
		if of[i], err = contentOf(s); err != nil {
			return nil, 0, err
		}
	}
	numbers, size, err := merge(of, with, drops, path, stop)
	if err == nil && stats != nil {
		stats.ReportBytesWritten(size)
	}
	return numbers, size, err
}
