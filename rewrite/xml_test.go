package rewrite

import "testing"

func TestSpacesAroundURIsInXML(t *testing.T) {
	const m = "http://archive.test/web/20200101000000/"
	for _, tt := range []struct{ name, in, want string }{
		{"in an attribute", "<x z=' http://e.com/a '/>", "<x z=' " + m + "http://e.com/a '/>"},
		{
			"as a reference", "<x z='&#32;http://e.com/a&#xA;'>&#x20; http://e.com/b</x>",
			"<x z='&#32;" + m + "http://e.com/a&#xA;'>&#x20; " + m + "http://e.com/b</x>",
		},
		{"in a link", "<x href='\n http://e.com/a'/>", "<x href='\n " + m + "http://e.com/a'/>"},
		{"in a text", "<loc>\n\thttp://e.com/a\n</loc>", "<loc>\n\t" + m + "http://e.com/a\n</loc>"},
		{"in a section", "<x><![CDATA[ http://e.com/a ]]></x>", "<x><![CDATA[ " + m + "http://e.com/a ]]></x>"},
		{
			"a text that is shown", "<svg><text>http://e.com/a</text><a href='http://e.com/b'>http://e.com/b</a></svg>",
			"<svg><text>http://e.com/a</text><a href='" + m + "http://e.com/b'>http://e.com/b</a></svg>",
		},
		{
			"a text with style",
			"<?xml-stylesheet href='#s'?><x y='http://e.com/a'>http://e.com/b<content>&lt;a href=\"http://e.com/c\"></content></x>",
			"<?xml-stylesheet href='#s'?><x y='" + m + "http://e.com/a'>http://e.com/b<content>&lt;a href=\"http://e.com/c\"></content></x>",
		},
		{
			"a text for a transformation", "<?xml-stylesheet type='text/xsl' href='#s'?><x>http://e.com/b</x>",
			"<?xml-stylesheet type='text/xsl' href='#s'?><x>" + m + "http://e.com/b</x>",
		},
		{"a text that goes on is none", "<x z=' http://e.com/a b'> http://e.com/a b</x>", "<x z=' http://e.com/a b'> http://e.com/a b</x>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, XML, tt.in, Options{}); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
