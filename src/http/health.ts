import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { httpProblem } from '../../rest-facade/http/problem.ts'
import { transportSecurityFields } from './hsts.ts'
import { readRequestId } from './logging/request-fields.ts'

/** Checks of the resources that the service needs to serve requests. Each rejects if its resource is not available. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>

/** The endpoints `/livez` and `/readyz`, in the format of Kubernetes (docs/operations/monitor.md#health). */
export interface Health {
  /** Responds to a request for one of the endpoints. Returns false for any other request. */
  respond(request: IncomingMessage, response: ServerResponse): boolean
  /** Returns true if `/readyz` would respond with 200. */
  isReady(): Promise<boolean>
  /** Makes `/readyz` run these checks from now on. Before, it fails because of `startup`. */
  started(checks: ReadinessChecks): void
  /** Makes `/readyz` fail because of `shutdown` from now on. */
  stopping(): void
}

interface Outcome {
  name: string
  error?: unknown
}

// A probe of Kubernetes waits for one second by default.
const checkMilliseconds = 800
/**
 * After a check has passed, a slow one counts as passed for this time, because the process or the database is busy. If a host then became
 * unready, its load would go to the others, which would become unready, too. A check that fails counts at once.
 */
const slowMilliseconds = 5000
/** Time for which further probes receive the same result. */
const resultMilliseconds = 1000

const endpoint = /^\/(livez|readyz)(?:\?(.*))?$/

export function createHealth(authUrl: string, version: string, log: Logger): Health {
  const fields = { ...transportSecurityFields(authUrl), 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  const failing = (name: string) => () => Promise.resolve([{ name, error: new Error(name) }])
  let outcomes: () => Promise<Outcome[]> = failing('startup')
  let failedBefore = ''

  /** Logs each change of the result once, with the reasons. The response does not contain them because the endpoint is public. */
  function logChange(failed: Outcome[]): void {
    const names = failed.map(({ name }) => name).join(', ')
    if (names === failedBefore) return
    if (names === '') log.info('ready again')
    else log.warn({ reasons: failed.map(({ name, error }) => `${name}: ${String(error)}`) }, `not ready: ${names}`)
    failedBefore = names
  }

  async function send(name: string, isVerbose: boolean, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const checked = name === 'livez' ? [{ name: 'ping' }] : await outcomes()
    const failed = checked.filter((outcome) => 'error' in outcome)
    if (name === 'readyz') logChange(failed.filter(({ name }) => name !== 'startup' && name !== 'shutdown'))
    const lines = checked.map((outcome) => ('error' in outcome ? `[-]${outcome.name} failed: reason withheld` : `[+]${outcome.name} ok`))
    const summary = `${name} check ${failed.length > 0 ? 'failed' : 'passed'}`
    const versionLines = isVerbose && name === 'readyz' ? [`version ${version}`] : []
    const text = isVerbose || failed.length > 0 ? [...versionLines, ...lines, summary, ''].join('\n') : 'ok'
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Request-Id': readRequestId(request) }
    sendText(response, failed.length > 0 ? 503 : 200, text, headers)
  }

  // Node sends no body to HEAD.
  const sendText = (response: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders) =>
    void response.writeHead(status, { ...fields, ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text)

  return {
    respond(request, response) {
      const [, name, query] = endpoint.exec(request.url ?? '') ?? []
      if (name === undefined) return false
      if (request.method === 'GET' || request.method === 'HEAD')
        void send(name, new URLSearchParams(query).has('verbose'), request, response)
      else {
        const requestId = readRequestId(request)
        const { status, body } = httpProblem(405, requestId)
        sendText(response, status, JSON.stringify(body), {
          'Content-Type': 'application/json',
          'X-Request-Id': requestId,
          Allow: 'GET, HEAD',
        })
      }
      return true
    },
    isReady: async () => (await outcomes()).every((outcome) => !('error' in outcome)),
    started: (checks) => void (outcomes = sharedOutcomes(checks)),
    stopping: () => void (outcomes = failing('shutdown')),
  }
}

/** Runs the checks at most once a second for all probes, and each check only after its previous run has ended. */
function sharedOutcomes(checks: ReadinessChecks): () => Promise<Outcome[]> {
  const running = new Map<string, Promise<unknown>>()
  const passedAt = new Map<string, number>()
  let latest: Promise<Outcome[]> | undefined
  let startedAt = 0

  async function runOnce(name: string, check: () => Promise<unknown>): Promise<void> {
    try {
      await check()
      passedAt.set(name, performance.now())
    } finally {
      running.delete(name)
    }
  }

  async function run(name: string, check: () => Promise<unknown>): Promise<Outcome> {
    const run = running.get(name) ?? runOnce(name, check)
    running.set(name, run)
    const slow = async () => {
      await pause(checkMilliseconds, undefined, { ref: false })
      if (performance.now() - (passedAt.get(name) ?? -Infinity) < slowMilliseconds) return
      throw new Error(`no answer within ${checkMilliseconds} ms`)
    }
    try {
      await Promise.race([run, slow()])
      return { name }
    } catch (error) {
      return { name, error }
    }
  }

  return () => {
    if (latest && performance.now() - startedAt < resultMilliseconds) return latest
    startedAt = performance.now()
    latest = Promise.all(Object.entries(checks).map(([name, check]) => run(name, check)))
    return latest
  }
}
