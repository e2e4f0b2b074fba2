import { readSample } from './samples.ts'

/** The values that fill in a sample. */
export interface SampleValues {
  authUrl: string
  clientId: string
  redirectUri: string
  scope: string
  isConfidential: boolean
}

/** Returns a program of the quick start, filled in for a client. Lines that are not for this client are omitted. */
export function fillSample(file: string, { isConfidential, ...values }: SampleValues): string {
  const listener = toListener(values.redirectUri)
  const facts = new Map(Object.entries({ ...values, ...listener.facts, secretVariable: isConfidential ? 'CLIENT_SECRET=… ' : '' }))
  // Go quotes values by quotation marks, the other programs by apostrophes. No other character of a URI needs escaping.
  if (!file.endsWith('.go')) for (const [name, value] of facts) facts.set(name, value.replaceAll("'", String.raw`\'`))
  const encoded = (value: string) => encodeURIComponent(value).replaceAll("'", '%27')
  facts.set('redirectUriEncoded', encoded(listener.facts.redirectUri)).set('scopeEncoded', encoded(values.scope))
  const isOmitted = (line: string) =>
    (!isConfidential && line.includes('{{confidential}}')) || (listener.isOnDevice && line.includes('{{remote}}'))
  return readSample(`quick-start/${file}`)
    .split('\n')
    .filter((line) => !isOmitted(line))
    .map((line) => line.replace(/ *(?:(?:\/\/|#) )?\{\{(?:confidential|remote)\}\}/, ''))
    .join('\n')
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const fact = facts.get(name)
      if (fact === undefined) throw new Error(`a program names ${name}, which is not a fact`)
      return fact
    })
}

/** Port of the programs whose redirect URI has none that a program of any user can listen on. */
const defaultPort = '8080'

/** A redirect URI for the programs on the computer of the developer. */
export const ownComputerUri = `http://127.0.0.1:${defaultPort}/callback`

/**
 * Returns true if a program receives the responses at this registered redirect URI on the same computer as the browser. Only such URIs have
 * the scheme http.
 */
export const isOnOwnComputer = (redirectUri: string): boolean => redirectUri.startsWith('http:')

/**
 * Returns where a program listens for the responses at a redirect URI, and the address that starts it. On the same computer, the program
 * listens at the URI; the service accepts any port there (RFC 8252 §7.3). Elsewhere, a server passes requests to it.
 */
function toListener(uri: string) {
  const isOnDevice = isOnOwnComputer(uri)
  const url = new URL(uri || ownComputerUri)
  const needsPort = isOnDevice && Number(url.port) < 1024
  if (needsPort) url.port = defaultPort
  const [hostname, port] = isOnDevice ? [url.hostname, url.port] : ['127.0.0.1', defaultPort]
  const host = hostname.replaceAll(/[[\]]/g, '')
  return {
    isOnDevice,
    facts: {
      redirectUri: needsPort ? url.href : uri,
      callbackPath: url.pathname,
      origin: url.origin,
      startUrl: `${url.origin}/`,
      listen: `${hostname}:${port}`,
      host,
      port,
      addressFamily: host.includes(':') ? 'AF_INET6' : 'AF_INET',
    },
  }
}
