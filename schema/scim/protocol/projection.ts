import { isObject } from './attribute.ts'
import type { JsonObject } from './attribute.ts'

/** The attributes that a client asks for, or does not want (RFC 7644 §3.9). Names are in lower case and without a URN. */
export interface Projection {
  wanted: ReadonlySet<string> | null
  excluded: ReadonlySet<string>
}

const always = new Set(['schemas', 'id'])

const namesIn = (list: string) =>
  new Set(
    list
      .split(',')
      .map((name) =>
        name
          .trim()
          .toLowerCase()
          .replace(/^urn:.*:/, ''),
      )
      .filter((name) => name !== ''),
  )

/** Reads `attributes` and `excludedAttributes`. */
export function readProjection(parameters: URLSearchParams): Projection {
  const wanted = namesIn(parameters.get('attributes') ?? '')
  return { wanted: wanted.size > 0 ? wanted : null, excluded: namesIn(parameters.get('excludedAttributes') ?? '') }
}

/** Whether a response contains an attribute of a resource, or a part of it. */
export function isReturned({ wanted, excluded }: Projection, name: string): boolean {
  const key = name.toLowerCase()
  if (always.has(key)) return true
  if (excluded.has(key)) return false
  return wanted === null || wanted.has(key) || [...wanted].some((each) => each.startsWith(`${key}.`))
}

/** The resource with the attributes that the client asks for. */
export function project(resource: JsonObject, projection: Projection): JsonObject {
  const entries = Object.entries(resource).filter(([name]) => isReturned(projection, name))
  return Object.fromEntries(entries.map(([name, value]) => [name, partsOf(name.toLowerCase(), value, projection)]))
}

function partsOf(name: string, value: unknown, { wanted, excluded }: Projection): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map((each) => partsOf(name, each, { wanted, excluded }))
  if (!isObject(value)) return value
  const isWhole = wanted === null || wanted.has(name)
  const isKept = (part: string) => !excluded.has(`${name}.${part}`) && (isWhole || wanted.has(`${name}.${part}`))
  return Object.fromEntries(Object.entries(value).filter(([part]) => isKept(part.toLowerCase())))
}
