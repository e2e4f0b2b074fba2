import qs from 'qs'
import { z } from 'zod'
import { pageNumber, pageSize } from '../schema/pagination.ts'

/** The parameters of every paginated list (§8). */
export const pageQuery = { page: pageNumber, per_page: pageSize }

// More than a URL of Node's greatest length holds: none is dropped unread.
const mostParameters = 10_000

/**
 * A reader of query strings for the parameters a schema names: `expand[]=lines` and `expand[0]=lines` are lists, a
 * repeated parameter is one too and fails where one value is meant, decimal text is a number where an integer is
 * meant. Unknown parameters are dropped (decisions §3).
 */
export function queryReader(query: z.ZodObject | undefined): (search: string) => Record<string, unknown> {
  const integers = new Set(Object.entries(query?.shape ?? {}).flatMap(([name, schema]) => (isInteger(schema as z.ZodType) ? name : [])))
  const names = new Set(Object.keys(query?.shape ?? {}))
  if (names.size === 0) return () => ({})
  return (search) => {
    if (search === '') return {}
    const given = qs.parse(search, { depth: 1, arrayLimit: mostParameters, parameterLimit: mostParameters, plainObjects: true })
    const known: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(given)) {
      if (names.has(name)) known[name] = integers.has(name) ? decimal(value) : value
    }
    return known
  }
}

const isInteger = (schema: z.ZodType) => (z.toJSONSchema(schema, { io: 'input' }) as { type?: string }).type === 'integer'

/** Decimal digits as their number; anything else stays as it is, to be refused. */
const decimal = (value: unknown) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value

/** The query string of a list's other pages: recognised parameters as given, RFC 3986, without `page`. */
export function keptQuery(given: Record<string, unknown>): string {
  const { page: _, ...kept } = given
  return qs.stringify(kept, { format: 'RFC3986', arrayFormat: 'indices', encode: true })
}
