import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { getErrorMessage } from '../../../config/error-message.ts'
import { CommandFailure } from '../../terminal/output.ts'

const pageSize = 100
const pollMilliseconds = 1000
/** Milliseconds between two attempts while the service cannot be reached. */
const retryMilliseconds = 3000
const timeoutMilliseconds = 30_000

const eventType = z.looseObject({ id: z.string(), type: z.string(), occurred_at: z.string() })
const pageType = z.object({ data: z.array(eventType), meta: z.object({ next_cursor: z.string() }) })
const problemType = z.object({ code: z.string(), message: z.string() })
type Page = z.output<typeof pageType>

/** An event in the form of the feed, which is the body of a delivery. */
export type FeedEvent = z.output<typeof eventType>

export interface FeedOptions {
  /** The origin of the service. */
  url: string
  team: string
  token: string
  /** Types of events; empty for all that the token may read. */
  types: readonly string[]
  /** Instant from which events are read; null for those that happen from now on. */
  since: Date | null
  signal: AbortSignal
  /** Reports a problem that does not end the feed. */
  warn(text: string): void
  /** Called once all past events of the feed were read. */
  onCurrent(): void
}

/** Yields the events of a team from the REST feed, until the signal. Throws a `CommandFailure` if the token may not read them. */
export async function* followFeed({ since, signal, warn, onCurrent, ...options }: FeedOptions): AsyncGenerator<FeedEvent> {
  let cursor: string | null = null
  let isCurrent = false
  let isFirst = true
  let isDown = false
  while (!signal.aborted) {
    let page: Page
    try {
      const result: Page | 'expired' = await readPage({ ...options, cursor, signal })
      if (isDown) warn('connected again')
      isDown = false
      isFirst = false
      if (result === 'expired') {
        warn('events are missing: the audit log no longer has those that follow the last one')
        ;[cursor, isCurrent] = [null, false]
        continue
      }
      page = result
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof TemporaryError)) throw error
      if (isFirst) throw new CommandFailure('unreachable', error.message, [], {})
      if (!isDown) warn(`${error.message}; trying again`)
      isDown = true
      await pause(error.waitMilliseconds, null, { signal }).catch(() => {})
      continue
    }
    cursor = page.meta.next_cursor
    const isWanted = (event: FeedEvent) => isCurrent || (since !== null && Date.parse(event.occurred_at) >= since.getTime())
    yield* page.data.filter(isWanted)
    if (page.data.length === pageSize) continue
    if (!isCurrent) onCurrent()
    isCurrent = true
    await pause(pollMilliseconds, null, { signal }).catch(() => {})
  }
}

/** The error while the service is temporarily unavailable. */
class TemporaryError extends Error {
  readonly waitMilliseconds: number

  constructor(message: string, waitMilliseconds = retryMilliseconds) {
    super(message)
    this.waitMilliseconds = waitMilliseconds
  }
}

type PageOptions = Pick<FeedOptions, 'url' | 'team' | 'token' | 'types' | 'signal'> & { cursor: string | null }

async function readPage({ url, team, token, types, cursor, signal }: PageOptions): Promise<Page | 'expired'> {
  const query = new URLSearchParams([['per_page', String(pageSize)], ...types.map((type) => ['types[]', type])])
  if (cursor !== null) query.set('after', cursor)
  const address = `${url}/api/v1/teams/${encodeURIComponent(team)}/events?${query}`
  const limits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)])
  let response: Response
  let text: string
  try {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    response = await fetch(address, { headers, redirect: 'manual', signal: limits })
    text = await response.text()
  } catch (error) {
    throw new TemporaryError(`${url} cannot be reached: ${getReason(error)}`)
  }
  const { status } = response
  if (status === 410) return 'expired'
  const wait = Number(response.headers.get('retry-after') ?? '') * 1000
  if (status === 429 || status >= 500) throw new TemporaryError(`${url} responds with ${status}`, Math.max(wait || 0, retryMilliseconds))
  const body = parseJson(text)
  const page = pageType.safeParse(body)
  if (status === 200 && page.success) return page.data
  const problem = problemType.safeParse(body)
  const scope = /scope="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1]
  if (problem.success && status !== 421)
    throw new CommandFailure(problem.data.code, toCommandFailure(problem.data, { team, scope }), [], {})
  throw new CommandFailure('unexpected_response', `${url} is not the address of this service: it responds with ${status}`, [], {})
}

function toCommandFailure(
  { code, message }: z.output<typeof problemType>,
  { team, scope }: { team: string; scope: string | undefined },
): string {
  if (code === 'unauthenticated') return 'the token of TEAM_ACCOUNT_TOKEN is not valid'
  if (code === 'team_forbidden') return `there is no team ${team} that the token may access`
  if (code === 'insufficient_scope' && scope !== undefined) return `the token needs the scope ${scope}`
  return message.replace(/\.$/, '')
}

/** Returns the reason why a request has no response. */
export const getReason = (error: unknown): string =>
  getErrorMessage(error instanceof Error && error.cause !== undefined ? error.cause : error)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
