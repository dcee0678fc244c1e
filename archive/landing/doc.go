// Package landing finds where a redirect leads, and what can stand in for a page that is missing: captures before and after it, pages
// with similar text, and pages at addresses that look alike.
package landing
