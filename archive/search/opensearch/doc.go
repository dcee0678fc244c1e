// Package opensearch keeps searches in OpenSearch or Elasticsearch instead of the data folder, for collections that outgrow one machine.
// Any number of servers may query it, and any number of processes may feed it.
//
// Start with [New] and [Cluster.Index]. An [Index] has two kinds of documents. There is one for each version of a page, which queries look
// up: its words as varve tokenizes them, filters, facets, and what the step to it deleted and added. And there is one for each page with
// its history, in the form of package search. The engine finds candidates, filters and counts. The same code as for an index in a folder
// then rates them, so both give the same answers.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package opensearch
