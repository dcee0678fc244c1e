package locale_test

import (
	"fmt"

	"github.com/varve-archive/varve/banner/locale"
)

func ExampleChoose() {
	tag := locale.Choose("sw, fa-IR;q=0.8, en;q=0.5")
	fmt.Println(tag, locale.For(tag).Number(2017))
	// Output: fa ۲٬۰۱۷
}
