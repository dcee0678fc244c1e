package locale

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// messageFiles returns a copy of the messages in which old of a file is replaced by new.
func messageFiles(t *testing.T, file, old, changed string) fs.FS {
	t.Helper()
	copied := fstest.MapFS{}
	for _, tag := range Tags() {
		text, err := messages.ReadFile("messages/" + tag + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if tag+".yaml" == file {
			if strings.Count(string(text), old) != 1 {
				t.Fatalf("%s has %q %d times", file, old, strings.Count(string(text), old))
			}
			text = []byte(strings.Replace(string(text), old, changed, 1))
		}
		copied[tag+".yaml"] = &fstest.MapFile{Data: text}
	}
	return copied
}

func TestMistakesOfTranslatorsAreNamed(t *testing.T) {
	for _, c := range []struct{ name, file, old, changed, want string }{
		{"a key is missing", "de.yaml", "\nnav: ", "\n#", "de.yaml: nav is missing"},
		{"a key of a group is missing", "de.yaml", "\n  askWords: ", "\n  #", "de.yaml: find.askWords is missing"},
		{"an empty text", "de.yaml", "\nopen: ", "\nopen: #", "de.yaml: open is missing"},
		{"a whole group is missing", "de.yaml", "\nproxy:", "\nprocksy:", "de.yaml: proxy.title is missing"},
		{"an unknown key", "de.yaml", "\nopen: ", "\nopenn: x\nopen: ", "de.yaml: openn is unknown"},
		{"a key in another's case", "de.yaml", "\nversionOf: ", "\nVersionOf: ", "de.yaml: VersionOf is unknown"},
		{"a key twice", "de.yaml", "\nopen: ", "\nopen: Oh\nopen: ", `de.yaml: open is there twice`},
		{
			"a place is missing", "de.yaml", "\nversionOf: ", "\nversionOf: Version {0} #",
			`de.yaml: versionOf has the places "{0}", English "{0}{1}"`,
		},
		{"a place too many", "de.yaml", "\nopen: ", "\nopen: z {0} #", `de.yaml: open has the places "{0}", English ""`},
		{"a place of a plural form", "ru.yaml", "  few: \"{0} дня\"", "  few: дня", `ru.yaml: days.few has the places "", English "{0}"`},
		{"a plural form is missing", "ru.yaml", "  few: \"{0} дня\"\n", "", "ru.yaml: days.few is missing"},
		{"a plural form of other languages", "de.yaml", "\ndays:\n", "\ndays:\n  few: \"{0} Tage\"\n", "de.yaml: days.few is unknown"},
		{"a number instead of forms", "de.yaml", "\ndays:\n", "\ndays: 7\nmore2:\n", "de.yaml: days.one is missing"},
		{"a month too few", "de.yaml", ", Dezember]\nmonthsShort", "]\nmonthsShort", "de.yaml: months.11 is missing"},
		{"a month too many", "de.yaml", ", Dezember]\nmonthsShort", ", Dezember, Ende]\nmonthsShort", "de.yaml: months.12 is unknown"},
		{"no number", "de.yaml", "weekBegins: 0", "weekBegins: Montag", "de.yaml: browse.weekBegins is no number"},
		{"a reason is missing", "de.yaml", "    overlap: ", "    #", "de.yaml: uploads.refused.overlap is missing"},
		{"a reason that nothing has", "de.yaml", "    one-stream: ", "    two: x\n    one-stream: ", "de.yaml: uploads.refused.two is unknown"},
		{"an alias", "de.yaml", "\nopen: ", "\nopen: *that #", "de.yaml: yaml: unknown anchor"},
		{"no YAML", "de.yaml", "\nopen: ", "\nopen: {0} of ", "de.yaml: yaml: "},
		{"an unknown key of English", "en.yaml", "\nopen: ", "\nopenn: x\nopen: ", "en.yaml: openn is unknown"},
		{"an English key is missing", "en.yaml", "\nnav: ", "\n#", "en.yaml: nav is missing"},
		{"a place of one English form", "en.yaml", "  one: \"{0} day\"", "  one: a day", `en.yaml: days.one has the places "", English "{0}"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(messageFiles(t, c.file, c.old, c.changed))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestALanguageIsOneFile(t *testing.T) {
	files := messageFiles(t, "", "", "").(fstest.MapFS)
	files["sv.yaml"] = files["en.yaml"]
	all, err := load(files)
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, l := range all {
		tags = append(tags, l.Tag)
	}
	if want := []string{"en", "de", "fa", "ru", "sv", "uk", "zh"}; !slices.Equal(tags, want) {
		t.Errorf("languages: %v, want %v", tags, want)
	}
	files["no language.yaml"] = files["en.yaml"]
	if _, err := load(files); err == nil {
		t.Error("a file that is named after no language is loaded")
	}
}
