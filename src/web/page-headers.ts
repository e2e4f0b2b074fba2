/**
 * Header fields of every page. `redirectUrls` are the URLs to which its forms redirect in the end: Chromium applies
 * `form-action` to these redirects too.
 *
 * The referrer policy is `same-origin`, because under `no-referrer` browsers send `Origin: null` with our own forms
 * (Fetch §3.1). There is no Cross-Origin-Opener-Policy: clients open these pages in a pop-up window, and the policy would
 * remove `window.opener` from the client's callback page.
 */
export const pageHeaders = (...redirectUrls: string[]): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...redirectUrls.map(sourceOf)].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
})

/** Returns a CSP source: the origin, or the scheme alone for a private scheme and for IPv6 hosts, which CSP cannot express. */
function sourceOf(url: string): string {
  const { protocol, hostname, origin } = new URL(url)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && !hostname.startsWith('[') ? origin : protocol
}
