import type { Context } from '../../core/context.ts'

// The patterns of browsers and operating systems in the `User-Agent` header field. The order matters: Edge also contains `Chrome`, and
// Chrome also contains `Safari`.

const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
]

const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const nameIn = (text: string, names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(text))?.[1]

/** Returns a description such as `Firefox on Linux`. Unknown parts are omitted, because a client can send any text. */
export function describeDevice(userAgent: string): string {
  const browser = nameIn(userAgent, browsers)
  const system = nameIn(userAgent, systems)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}

/** The options of a field with the browser of a session or of a trusted device. */
export const deviceField = {
  description: 'The browser and its operating system, as far as the `User-Agent` header field names them.',
  resolve: ({ userAgent }: { userAgent: string }) => describeDevice(userAgent),
}

/** What readers see instead of an IP address. */
export const hiddenAddress = 'hidden'

/** The options of a field with the IP address of a browser. Staff in a support session do not need it to help, as in `StaffSession`. */
export const addressField = {
  resolve: ({ address }: { address: string }, _: object, { principal }: Pick<Context, 'principal'>) =>
    principal?.kind === 'user' && principal.isInSupportSession ? hiddenAddress : address,
}
