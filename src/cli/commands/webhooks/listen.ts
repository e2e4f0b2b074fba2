import { randomBytes } from 'node:crypto'
import { secretText, signatureHeaders } from '../../../../schema/webhooks/secret.ts'
import { environment, readConfig } from '../../../config/settings.ts'
import { readVersion } from '../../../config/version.ts'
import { parseTime } from '../../argument-values.ts'
import { command, UsageError } from '../../command.ts'
import { printable } from '../../terminal/output.ts'
import { writeToStdout, style, currentTerminal } from '../../terminal/terminal.ts'
import { followFeed, getReason } from './event-feed.ts'
import type { FeedEvent } from './event-feed.ts'
import { parseEventTypes, typesOption } from './webhook.ts'

export const webhookListen = command({
  name: 'webhook listen',
  summary: 'Forward the events of a team to a program on this machine',
  description: `For developers: no public URL is needed. Reads the events of the team by the REST API, signs each as a delivery to a webhook is, and sends it
to the URL once. Prints the secret that signs, and then a line for each event. Goes on until Ctrl-C.

The environment variable TEAM_ACCOUNT_TOKEN is an access token with the scope acct:team:events:read and those of the wanted types. No
database and no settings of the service are needed.`,
  options: {
    team: { value: 'SLUG', required: true, description: 'slug of the team' },
    forward: { value: 'URL', required: true, description: 'where events are sent, such as http://localhost:4000/hook' },
    types: { ...typesOption, description: `${typesOption.description} (default: all that the token may read)` },
    secret: { value: 'SECRET', description: 'secret that signs, whsec_… (default: a new one)' },
    url: { value: 'URL', description: 'address of the service, such as https://accounts.example.com (default: AUTH_URL)' },
    since: { value: 'TIME', description: 'begin with events at or after this time, such as 2026-01-31T09:30:00Z (default: now)' },
  },
  run: async ({ options, json }) => {
    const { stdout, stderr, settings } = currentTerminal()
    const token = (settings ?? environment())['TEAM_ACCOUNT_TOKEN']
    if (!token) throw new UsageError('the environment variable TEAM_ACCOUNT_TOKEN is required')
    const forward = httpUrl(options.forward, '--forward').href
    const secret = getSecret(options.secret)
    const url = options.url === undefined ? readConfig(settings).authUrl : httpUrl(options.url, '--url').origin
    const since = options.since === undefined ? null : parseTime(options.since, '--since')
    const types = parseEventTypes(options.types) ?? []
    const userAgent = `team-account-service/${await readVersion()}`

    const stop = new AbortController()
    const { signal } = stop
    const onSignal = () => {
      stop.abort()
      // Lines in a pipe without a reader would prevent the process from ending.
      if (stdout.writableLength > 0) process.exit()
    }
    for (const name of signals) process.on(name, onSignal)
    const print = async (line: string) => {
      if (!(await writeToStdout([`${line}\n`]))) stop.abort()
    }
    const about = { team: options.team, forward, secret: secretText(secret) }
    await print(json ? JSON.stringify(about) : `Signing secret: ${about.secret}`)
    const feed = followFeed({
      url,
      team: options.team,
      token,
      types,
      since,
      signal,
      warn: (text) => void stderr.write(`${printable(text)}\n`),
      onCurrent: () => void stderr.write(`Waiting for events of ${options.team}. End with Ctrl-C.\n`),
    })
    try {
      for await (const event of feed) {
        const forwarded = await forwardEvent(event, { url: forward, secret, userAgent, signal })
        if (!signal.aborted) await print(json ? JSON.stringify(forwarded) : formatLine(forwarded))
      }
    } finally {
      for (const name of signals) process.off(name, onSignal)
    }
    return undefined
  },
})

const signals = ['SIGINT', 'SIGTERM'] as const

function formatLine({ id, type, status, latency_milliseconds: latency, error }: Forwarded): string {
  const { stdout } = currentTerminal()
  const isSuccess = status !== null && status >= 200 && status < 300
  const result = style(stdout, isSuccess ? 'green' : 'red', status === null ? printable(error ?? 'failed') : String(status))
  return `${new Date().toISOString()}  ${type}  ${id}  ${result}  ${latency} ms`
}

function httpUrl(text: string, option: string): URL {
  const url = URL.parse(text)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new UsageError(`${option} must be an http or https URL; it is ${text}`)
}

/** Returns the bytes of a secret in the form of Standard Webhooks 1.0. */
function getSecret(text: string | undefined): Uint8Array {
  if (text === undefined) return randomBytes(24)
  const bytes = /^whsec_[A-Za-z0-9+/]+=*$/.test(text) ? Buffer.from(text.slice('whsec_'.length), 'base64') : Buffer.alloc(0)
  if (bytes.length >= 24 && bytes.length <= 64) return bytes
  throw new UsageError('--secret must be whsec_ and 24 to 64 bytes in base64')
}

/** The timeout is the same as for a delivery (schema/webhooks/send-event.ts). */
const timeoutMilliseconds = 15_000

/** Outcome of an attempt to forward an event. */
interface Forwarded {
  id: string
  type: string
  /** Status code; null without a response. */
  status: number | null
  latency_milliseconds: number
  /** Reason why there was no response. */
  error: string | null
}

interface ForwardOptions {
  url: string
  secret: Uint8Array
  userAgent: string
  signal: AbortSignal
}

/** Sends an event as a delivery does: signed, once, without following redirects. The result contains the error. */
async function forwardEvent(event: FeedEvent, { url, secret, userAgent, signal }: ForwardOptions): Promise<Forwarded> {
  const started = performance.now()
  const { id, type } = event
  const ended = (status: number | null, error: string | null): Forwarded => {
    return { id, type, status, latency_milliseconds: Math.round(performance.now() - started), error }
  }
  const body = JSON.stringify(event)
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...signatureHeaders([secret], id, new Date(), body) }
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)])
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limits })
    await response.body?.cancel()
    return ended(response.status, null)
  } catch (error) {
    return ended(null, getReason(error))
  }
}
