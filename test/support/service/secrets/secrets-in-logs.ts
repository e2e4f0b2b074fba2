import type { Server } from 'node:http'
import { secretsOfServer } from './wire-secrets.ts'

// The secrets that cross the wire in this process, and the log lines of the services under test. `every-file.ts` compares them
// after each test file.

const secrets = new Set<string>()
const texts: string[] = []

/** Shorter values occur in log lines by chance. */
const minimumLength = 8

/** Adds what a service has logged. */
export const addLog = (text: string): void => void texts.push(text)

/** Adds a secret that no request of this process contains. */
export function addSecret(value: string): void {
  if (value.length >= minimumLength) secrets.add(value)
}

/** Adds the secrets in the requests that a server receives from now on, and in its responses. */
export const addSecretsOf = (server: Server): void => secretsOfServer(server, addSecret)

/** The secrets in the log lines since the last call, each with its line. */
export function secretsInLogs(): { secret: string; line: string }[] {
  const byStart = Map.groupBy(secrets, (secret) => secret.slice(0, minimumLength))
  const found: { secret: string; line: string }[] = []
  for (const line of texts.join('').split('\n')) {
    for (let start = 0; start + minimumLength <= line.length; start++) {
      const candidates = byStart.get(line.slice(start, start + minimumLength)) ?? []
      for (const secret of candidates) if (line.startsWith(secret, start)) found.push({ secret, line })
    }
  }
  secrets.clear()
  texts.length = 0
  return found
}

export function failOnSecretsInLogs(): void {
  const found = secretsInLogs().map(({ secret, line }) => `${secret} in ${line}`)
  if (found.length > 0) throw new Error(`A log line contains a secret:\n${found.slice(0, 5).join('\n')}`)
}
