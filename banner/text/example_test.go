package text_test

import (
	"fmt"

	"github.com/varve-archive/varve/banner/text"
)

func ExampleChoose() {
	tag := text.Choose("sw, fa-IR;q=0.8, en;q=0.5")
	fmt.Println(tag, text.For(tag).Number(2017))
	// Output: fa ۲٬۰۱۷
}
