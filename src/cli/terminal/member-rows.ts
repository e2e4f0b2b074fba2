/** Formats a member of an object as table rows: one per item of a list, and `outer.inner` for a nested object. */
export function memberRows(name: string, value: unknown): [string, string | Date | null][] {
  if (value === null || value instanceof Date) return [[name, value]]
  if (Array.isArray(value)) return value.length === 0 ? [[name, null]] : value.flatMap((item: unknown) => memberRows(name, item))
  if (typeof value === 'object') return Object.entries(value).flatMap(([inner, item]) => memberRows(`${name}.${inner}`, item))
  return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
}
