import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** Sends one change with a unique value, the `index`th of all. Returns null without a response. */
export type Change = (value: string, index: number) => Promise<Response | null>

/** Changes by several clients at the same time. */
export interface WriteLoad {
  /** Every value starts with this text. */
  prefix: string
  /** The values whose change was acknowledged. */
  acknowledged: ReadonlySet<string>
  /** How many requests were refused with 503 or got no response. */
  refused(): number
  /** Responses that are neither a success nor 503. */
  unexpected: readonly string[]
  /** Resolves when the last request has ended. */
  stop(): Promise<void>
}

interface LoadOptions {
  clients?: number
  /** Counts every request as acknowledged, for a control. */
  countsEveryRequest?: boolean
}

/** Sends changes until `stop`. */
export function startWrites(change: Change, { clients = 6, countsEveryRequest = false }: LoadOptions = {}): WriteLoad {
  const acknowledged = new Set<string>()
  const unexpected: string[] = []
  const prefix = randomUUID().slice(0, 8)
  const end = new AbortController()
  let count = 0
  let refused = 0
  const write = async () => {
    while (!end.signal.aborted) {
      const index = count++
      const value = `${prefix}-${index}`
      const response = await change(value, index)
      const text = await response?.text().catch(() => null)
      const isComplete = response?.ok === true && typeof text === 'string'
      if (isComplete || countsEveryRequest) acknowledged.add(value)
      if (isComplete) continue
      if (response && !response.ok && response.status !== 503) unexpected.push(`${response.status} ${text}`)
      refused++
      await delay(10)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, write))
  return {
    prefix,
    acknowledged,
    refused: () => refused,
    unexpected,
    async stop() {
      end.abort()
      await running
    },
  }
}

/**
 * Counts the acknowledged values that are not among the stored ones, the values that are stored more than once, and those that are
 * stored although their change was not acknowledged.
 */
export function compareWrites({ acknowledged, prefix }: WriteLoad, stored: readonly string[]) {
  const times = Map.groupBy(
    stored.filter((value) => value.startsWith(prefix)),
    (value) => value,
  )
  return {
    lost: [...acknowledged].filter((value) => !times.has(value)).length,
    repeated: [...times.values()].filter(({ length }) => length > 1).length,
    unanswered: [...times.keys()].filter((value) => !acknowledged.has(value)).length,
  }
}
