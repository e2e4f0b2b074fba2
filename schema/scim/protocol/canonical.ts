import type { z } from 'zod'
import { isObject, readMember, namedParts } from './attribute.ts'
import type { JsonObject, ResourceType } from './attribute.ts'
import { invalidValue, ScimError } from './error.ts'
import { keepOnePrimary, readValues } from './values.ts'

/**
 * Returns the attributes of a resource in a POST or PUT under their names. Names are compared without case; attributes that the service
 * does not store, or that only the service writes, are omitted (RFC 7643 §2.1, RFC 7644 §3.3). Throws `invalidSyntax` and `invalidValue`.
 */
export function canonical(type: ResourceType, body: unknown): JsonObject {
  if (!isObject(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be a JSON object.')
  const resource: JsonObject = { externalId: readMember(body, 'externalId') }
  for (const attribute of type.attributes) {
    // A null value equals an absent one (RFC 7643 §2.5).
    const value = readMember(body, attribute.name)
    if (attribute.mutability === 'readOnly' || value === undefined || value === null) continue
    if (attribute.multiValued) resource[attribute.name] = keepOnePrimary(attribute, readValues(attribute, value))
    else if (attribute.type === 'complex' && isObject(value)) resource[attribute.name] = namedParts(attribute, value)
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
