// Package minio pins the object storage that tests use, in a module of its own: its dependencies stay out of the program's.
// scripts/minio.sh builds it.
package minio
