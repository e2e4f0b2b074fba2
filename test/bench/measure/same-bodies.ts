import { isDeepStrictEqual } from 'node:util'
import type { Contestant } from '../contestants/start.ts'
import type { BenchRequest, SeededData } from '../requests/request.ts'
import type { Load } from './load.ts'

/** Throws if the contestants do not send the same body, because then they do not do the same work. */
export async function requireSameBodies(
  request: BenchRequest,
  data: SeededData,
  contestants: ReadonlyMap<string, Contestant>,
  load: Load,
): Promise<void> {
  const bodies: { name: string; body: unknown }[] = []
  for (const [name, { port }] of contestants) {
    const [result] = await load.run([{ port, seconds: 0, atLeast: 0, scripts: request.scripts(data, name) }])
    bodies.push({ name, body: JSON.parse(result?.body ?? '') })
  }
  const [first, ...others] = bodies
  for (const { name, body } of others) {
    const difference = request.bodies === 'equal' ? findDifference(first?.body, body) : findDifference(shapeOf(first?.body), shapeOf(body))
    if (difference !== null) throw new Error(`${request.title}: the bodies of ${first?.name} and ${name} differ\n${difference}`)
  }
}

/** Returns the path of the first difference with both values, or null. */
function findDifference(one: unknown, other: unknown, path = ''): string | null {
  if (isDeepStrictEqual(one, other)) return null
  if (isObject(one) && isObject(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const difference = findDifference(one[name], other[name], `${path}/${name}`)
      if (difference !== null) return difference
    }
  }
  return `${path}: ${JSON.stringify(one)}, ${JSON.stringify(other)}`
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Replaces every value by its type. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (!isObject(value)) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
}
