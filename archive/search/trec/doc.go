// Package trec measures the quality of a ranking, with the file formats and measures of the Text REtrieval Conference.
//
// [ReadTopics] reads queries, [ReadJudgments] which documents are relevant to them (qrels). [Measure] rates one ranked list, [Mean]
// averages over several. A document without a judgment counts as not relevant.
//
// The measures are those of trec_eval: precision at a rank, R-precision (at the rank that is the number of relevant documents), average
// precision, whose mean is MAP, and nDCG, where the grade is the gain and the logarithm of the rank its discount (Järvelin and Kekäläinen
// 2002).
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package trec
