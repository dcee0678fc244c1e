// Package trec measures how good a ranking is, in the formats and with the measures of the Text REtrieval Conference.
//
// [ReadTopics] reads what people looked for, [ReadJudgments] which documents answer it (qrels). [Measure] rates one
// ranked list, and [Mean] several. A document that nobody judged does not answer.
//
// The measures are those of trec_eval: precision at a rank, R-precision (at the rank that is the number of relevant
// documents), average precision, whose mean is MAP, and nDCG, where the grade is the gain and the logarithm of the rank
// its discount (Järvelin and Kekäläinen 2002).
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package trec
