// Package deploy has the tests of what docs/deploy has for clusters and containers: the Helm chart is rendered, and all objects are checked
// against the types of Kubernetes, the Compose file against the schema of Compose. It is a module of its own, so that theirs stay out of
// varve's.
package deploy
