// Package opensearch keeps searches in OpenSearch or Elasticsearch, instead of the data folder: for collections that outgrow one machine.
// Any number of servers ask it, and any number of processes feed it.
//
// Start with [New] and [Cluster.Index]. An [Index] has two kinds of documents. One of each version of a page is what questions look up:
// its words as varve cuts them, filters, facets and what the step to it deleted and added. One of each page has its history, in the form
// of package search. The engine finds candidates, filters and counts; what is found is rated by the same code as in a folder, so that
// both give the same answers.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package opensearch
