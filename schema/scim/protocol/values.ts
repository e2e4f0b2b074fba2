import { isRecord } from '../../core/record.ts'
import type { z } from 'zod'
import { listEntries, namedParts, findSubAttribute, toComparableText, readMember } from './attribute.ts'
import type { Attribute, JsonObject, ResourceType } from './attribute.ts'
import { invalidValue, ScimError } from './error.ts'

// These functions process the values of a multi-valued attribute.

/** Maximum characters of a part of a value. All stored parts are shorter, and a filter compares each of them. */
const maxPartCharacters = 255

/** Returns the values of an attribute in a request: a list, one value, or simple values for the part `value`. Throws `invalidValue`. */
export function readValues(attribute: Attribute, value: unknown): JsonObject[] {
  if (value === null || value === undefined) return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  requireBoundedLength(attribute, list)
  return list.map((each) => readParts(attribute, isRecord(each) ? namedParts(attribute, each) : { value: each }))
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

/**
 * Returns the attributes of a resource in a POST or PUT under their names. Names are compared without case; attributes that the service
 * does not store, or that only the service writes, are omitted (RFC 7643 §2.1, RFC 7644 §3.3). Throws `invalidSyntax` and `invalidValue`.
 */
export function normalizeResource(type: ResourceType, body: unknown): JsonObject {
  if (!isRecord(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be a JSON object.')
  const resource: JsonObject = { externalId: readMember(body, 'externalId') }
  for (const attribute of type.attributes) {
    // A null value equals an absent one (RFC 7643 §2.5).
    const value = readMember(body, attribute.name)
    if (attribute.mutability === 'readOnly' || value === undefined || value === null) continue
    if (attribute.multiValued) resource[attribute.name] = keepOnePrimary(attribute, readValues(attribute, value))
    else if (attribute.type === 'complex' && isRecord(value)) resource[attribute.name] = namedParts(attribute, value)
    else resource[attribute.name] = value
  }
  return resource
}

/** Parses a value with a zod schema. Throws `invalidValue` with the name of the attribute. */
export function parseResource<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value)
  if (!error) return data
  const [issue] = error.issues
  throw invalidValue(
    `${issue?.path.map(String).join('.') || 'The body'}: ${(issue?.message ?? 'invalid').replace('The :attribute field', 'the value')}`,
  )
}
