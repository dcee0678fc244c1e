package comparison

import (
	"time"

	"github.com/a-h/templ"
)

func animationView(lang string) AnimationView {
	return AnimationView{
		Lang: lang, Home: "/", URIR: uriR, Diff: "/web/diff/1/2/" + uriR, Total: 2,
		Before: diffView(lang).Older,
		After:  diffView(lang).Newer,
		Steps: []playedStep{
			{At: 10, Deleted: "serious, chronic", Inserted: "some", Before: "Acid Rain\nIt causes ", After: " damage to lakes."},
			{At: 40, Inserted: "“This page is being updated.”", Before: " damage to lakes.\n", Block: true},
		},
	}
}

// animationOfTerm is the animation of a word that has too many changes.
func animationOfTerm(lang string) AnimationView {
	v := animationView(lang)
	v.Term, v.All, v.Total, v.Drift = "chronic", "/web/animate/1/2/"+uriR, 1200, 75*24*time.Hour
	return v
}

func animationOfNothing(lang string) AnimationView {
	v := animationOfTerm(lang)
	v.Steps, v.Total, v.Drift = nil, 0, 0
	return v
}

func noAnimationView(lang string) NoAnimationView {
	d := diffView(lang)
	return NoAnimationView{Page: d.Page, Older: d.Older, Newer: d.Newer, Diff: "/web/diff/1/2/" + uriR}
}

// animationFixtures are the bar, which is shown in an archived page like the banner, and the page in its place.
func animationFixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"animation-none": NoAnimation(noAnimationView(lang)), "banner-played": Animation(animationView(lang)),
		"banner-played-term": Animation(animationOfTerm(lang)), "banner-played-not": Animation(animationOfNothing(lang)),
	}
}
