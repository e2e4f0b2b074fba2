import { readSample } from './samples.ts'

/** The values that fill in a sample. */
export interface SampleValues {
  authUrl: string
  clientId: string
  redirectUri: string
  scope: string
  isConfidential: boolean
}

/** Returns a program of the quick start, filled in for a client. Lines that authenticate are omitted for a public client. */
export function fillSample(file: string, { isConfidential, ...values }: SampleValues): string {
  // The programs quote values by apostrophes. No other character of a URI needs escaping.
  const quoted = Object.entries(values).map(([name, value]) => [name, value.replaceAll("'", String.raw`\'`)] as const)
  const encoded = (value: string) => encodeURIComponent(value).replaceAll("'", '%27')
  const facts = new Map([...quoted, ['redirectUriEncoded', encoded(values.redirectUri)], ['scopeEncoded', encoded(values.scope)]])
  return readSample(`quick-start/${file}`)
    .split('\n')
    .filter((line) => isConfidential || !line.includes(marker))
    .map((line) => line.replace(/(?: *(?:\/\/|#) )?\{\{confidential\}\}/, ''))
    .join('\n')
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const fact = facts.get(name)
      if (fact === undefined) throw new Error(`a program names ${name}, which is not a fact`)
      return fact
    })
}

/** Marks lines for confidential clients. */
const marker = '{{confidential}}'
