import { setImmediate } from 'node:timers/promises'
import { isRecord } from './record.ts'

/** Number of list items that are written in one turn of the event loop. */
const itemsInTurn = 1000

/** Returns the JSON text of a result. Long lists are written in turns, between which the process serves other requests. */
export async function stringifyInTurns(value: unknown): Promise<string> {
  if (Array.isArray(value) && value.length > itemsInTurn) return stringifyList(value)
  if (!isRecord(value)) return JSON.stringify(value)
  const members: string[] = []
  for (const [name, each] of Object.entries(value))
    if (each !== undefined) members.push(`${JSON.stringify(name)}:${await stringifyInTurns(each)}`)
  return `{${members.join(',')}}`
}

async function stringifyList(items: readonly unknown[]): Promise<string> {
  const parts: string[] = []
  for (let start = 0; start < items.length; start += itemsInTurn) {
    parts.push(JSON.stringify(items.slice(start, start + itemsInTurn)).slice(1, -1))
    await setImmediate()
  }
  return `[${parts.join(',')}]`
}
