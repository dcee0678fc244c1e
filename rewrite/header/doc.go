// Package header makes the HTTP header with which an archived response is replayed: URIs point into the archive, and headers that
// would act on the server's origin, or on the browser beyond the page, are only shown under another name.
package header
