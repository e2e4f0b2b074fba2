import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** Changes of a team by several clients at the same time, each of which writes one audit entry with a value of its own. */
export interface WriteLoad {
  /** Every value starts with this text. */
  prefix: string
  /** The values whose change was answered with 200. */
  acknowledged: ReadonlySet<string>
  /** Responses that are neither 200 nor 503. */
  unexpected: readonly string[]
  /** Resolves when the last request has ended. */
  stop(): Promise<void>
}

/** Renames the team until `stop`. A request that fails is not repeated: whether its change was made is unknown. */
export function startWrites(address: string, token: string, clients = 6): WriteLoad {
  const acknowledged = new Set<string>()
  const unexpected: string[] = []
  const prefix = randomUUID().slice(0, 8)
  const end = new AbortController()
  let count = 0
  const write = async () => {
    while (!end.signal.aborted) {
      const name = `${prefix} ${count++}`
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const response = await fetch(address, { method: 'PATCH', headers, body: JSON.stringify({ name }) }).catch(() => null)
      const text = await response?.text().catch(() => null)
      if (response?.status === 200 && typeof text === 'string') acknowledged.add(name)
      else if (response && response.status !== 200 && response.status !== 503) unexpected.push(`${response.status} ${text}`)
      else await delay(10)
    }
  }
  const running = Array.from({ length: clients }, write)
  return {
    prefix,
    acknowledged,
    unexpected,
    async stop() {
      end.abort()
      await Promise.all(running)
    },
  }
}

/** Counts the acknowledged values that are not among the stored ones, and the values that are stored more than once. */
export function compareWrites({ acknowledged, prefix }: WriteLoad, stored: readonly string[]) {
  const times = Map.groupBy(stored, (value) => value)
  return {
    lost: [...acknowledged].filter((value) => !times.has(value)).length,
    repeated: [...times].filter(([value, { length }]) => value.startsWith(prefix) && length > 1).length,
  }
}
