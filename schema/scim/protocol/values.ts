import { listEntries, isObject, namedParts, findSubAttribute, toComparableText } from './attribute.ts'
import type { Attribute, JsonObject } from './attribute.ts'
import { invalidValue } from './error.ts'

// These functions process the values of a multi-valued attribute.

/** Maximum characters of a part of a value. All stored parts are shorter, and a filter compares each of them. */
const maxPartCharacters = 255

/** Returns the values of an attribute in a request: a list, one value, or simple values for the part `value`. Throws `invalidValue`. */
export function readValues(attribute: Attribute, value: unknown): JsonObject[] {
  if (value === null || value === undefined) return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  requireBoundedLength(attribute, list)
  return list.map((each) => readParts(attribute, isObject(each) ? namedParts(attribute, each) : { value: each }))
}

/** Returns the parts of a value that can be compared. Throws `invalidValue`. */
export function readParts(attribute: Attribute, value: JsonObject): JsonObject {
  const { $ref: _url, ...parts } = value
  for (const [name, part] of listEntries(parts)) {
    const length = toComparableText(part)?.length ?? 0
    if (length > maxPartCharacters) throw invalidValue(`${attribute.name}.${name} has more than ${maxPartCharacters} characters.`)
  }
  return parts
}

/** Throws `invalidValue` for more values than an attribute can have. */
export function requireBoundedLength({ name, maxValues = 0 }: Attribute, values: readonly unknown[]): void {
  if (values.length > maxValues) throw invalidValue(`${name} has at most ${maxValues.toLocaleString('en')} values.`)
}

// Entra ID sends booleans as texts.
const isPrimary = ({ primary }: JsonObject) => primary === true || (typeof primary === 'string' && /^true$/i.test(primary))

/**
 * Leaves at most one value of an attribute primary: the last of those in the request, or else the last one (RFC 7643 §2.4, RFC 7644
 * §3.5.2). Values in `unchanged` are those that the request did not contain.
 */
export function keepOnePrimary(attribute: Attribute, values: JsonObject[], unchanged: readonly JsonObject[] = []): JsonObject[] {
  if (!findSubAttribute(attribute, 'primary')) return values
  const primaries = values.filter(isPrimary)
  if (primaries.length < 2) return values
  const old = new Set(unchanged)
  const last = primaries.findLast((each) => !old.has(each)) ?? primaries.at(-1)
  return values.map((each) => (isPrimary(each) && each !== last ? { ...each, primary: false } : each))
}
