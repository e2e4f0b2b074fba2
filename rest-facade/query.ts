import qs from 'qs'
import { z } from 'zod'
import { pageNumber, pageSize } from '../schema/builder/pagination.ts'

/** The query parameters of every paginated list. */
export const pageQuery = { page: pageNumber, per_page: pageSize }

// The limit exceeds the number of parameters that a URL of Node's maximum length can contain, because qs silently drops those beyond it.
const maxParameters = 10_000

/**
 * Returns a parser of query strings for the parameters of a schema (docs/decisions/page-format.md#query-parameters).
 * `expand[]=lines` and `expand[0]=lines` are lists. A repeated parameter is a list too, and fails where the schema has a
 * single value. Decimal digits become a number where the schema has an integer. Unknown parameters are dropped.
 */
export function queryReader(query: z.ZodObject | undefined): (search: string) => Record<string, unknown> {
  const parameters = Object.entries<z.ZodType>(query?.shape ?? {})
  const names = new Set(parameters.map(([name]) => name))
  // Read for the first query, because the JSON schemas of all parameters would delay every start.
  let integers: Set<string> | undefined
  if (names.size === 0) return () => ({})
  return cacheResults((search) => {
    if (search === '') return {}
    integers ??= new Set(parameters.flatMap(([name, schema]) => (isInteger(schema) ? name : [])))
    const sent = qs.parse(search, { depth: 1, arrayLimit: maxParameters, parameterLimit: maxParameters, plainObjects: true })
    const supported: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(sent)) {
      if (names.has(name)) supported[name] = integers.has(name) ? decimal(value) : value
    }
    return supported
  })
}

const cacheLimits = { texts: 100, length: 200 }

/** Caches the results of `read`, which callers must not change. Clients repeat a few queries, and qs takes 30 µs for each. */
function cacheResults<Value extends object>(read: (text: string) => Value): (text: string) => Value {
  const results = new Map<string, Value>()
  return (text) => {
    const cached = results.get(text)
    if (cached) return cached
    const result = read(text)
    if (results.size === cacheLimits.texts) results.clear()
    if (text.length <= cacheLimits.length) results.set(text, result)
    return result
  }
}

const isInteger = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' }).type === 'integer'

/** Converts decimal digits to a number. Returns any other value unchanged, for the schema to reject. */
const decimal = (value: unknown) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value

/** Returns the query string that page links repeat: declared parameters as sent, without the position, encoded as in RFC 3986. */
export function pageQueryString(sent: Record<string, unknown>): string {
  const { page: _, after: __, cursor: ___, ...rest } = sent
  return qs.stringify(rest, { format: 'RFC3986', arrayFormat: 'indices', encode: true })
}
