import type { Logger } from 'pino'

/** Returns a function that warns, once for each script, that no font for the characters of an invoice is installed. */
export function createMissingFontReport(log: Logger): (script: string) => void {
  const missing = new Set<string>()
  return (script) => {
    if (!missing.has(script)) log.warn(`an invoice contains ${script} characters, for which no font is installed (npm ci --prefix fonts)`)
    missing.add(script)
  }
}
