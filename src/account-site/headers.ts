/**
 * Header fields of every page. `leadsTo` are the addresses that its forms lead to in the end: Chromium holds the redirects
 * that follow a form to `form-action` too.
 *
 * `same-origin` and not `no-referrer`, under which browsers would send `Origin: null` with our own forms (Fetch §3.1).
 * No Cross-Origin-Opener-Policy: clients open these pages as a pop-up, and it would take the opener from their callback.
 */
export const pageHeaders = (...leadsTo: string[]): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...leadsTo.map(sourceOf)].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
})

/** An address as a source of CSP: its origin; its scheme where that is private, or the host an IPv6 address, which CSP cannot write. */
function sourceOf(address: string): string {
  const { protocol, hostname, origin } = new URL(address)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && !hostname.startsWith('[') ? origin : protocol
}
