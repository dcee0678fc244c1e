package language

import "strings"

// commonWords are the commonest words of several languages. Whoever changes the list has to change [search.Format] too: an index must be
// read with the list it was built with.
const commonWords = `
a about after all also an and are as at be because been but by can could did do for from had has have he her his how i if
in into is it its me more my no not of on one or other our out she so some such than that the their them then there these
they this to up was we were what when where which who will with would you your
als am an auf aus bei das dass dem den der des die durch ein eine einem einen einer es für ich im in ist mit nach nicht
oder sein sich sie sind so um und von vor war was wie wird zu zum zur
au aux avec ce cette dans de des du elle en est et il la le les mais ne nous ou par pas plus pour que qui sa se ses son
sont sur un une vous
al como con del el ella en es esta este la las lo los más no o para pero por que se sin sobre su sus un una y
che ci con da dal dalla degli dei del della delle di e è gli i il in la le lo ma nel nella non per più questo sono tra una
ao aos as com da das do dos e em foi mais na nas no nos não os ou pela pelo por são um uma à
aan bij dat de die door een en er het hij ik met naar niet of om ook op te tot uit van voor wordt zijn
att av den det en ett för har i inte med och om på som till är af at de er et fra ikke og til
i na nie o od po się to w z ze za jest
в во и к как на не но о от по с со то что это я для из у а у та що як до не за з і й
و في من على إلى أن که از به را این است در با
`

// Common returns a function that reports whether a word is one of the commonest in its language, and so on nearly every page.
func Common() func(word string) bool {
	common := map[string]bool{}
	for _, w := range strings.Fields(commonWords) {
		common[w] = true
	}
	return func(word string) bool { return common[word] }
}
