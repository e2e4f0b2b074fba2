import { attributeOf, subAttributeOf } from './attribute.ts'
import type { Attribute, ResourceType } from './attribute.ts'

/** An attribute, or a part of it, of a resource. */
export interface AttributePath {
  attribute: Attribute
  subAttribute: Attribute | null
}

/** `ignored`: a standard attribute that the service does not keep. `unknown`: no attribute of the resource. */
export type FoundPath = AttributePath | 'ignored' | 'unknown'

const extension = /^urn:ietf:params:scim:schemas:extension:/i

/** Reads `attribute`, `attribute.part`, or the same after the URN of the schema (RFC 7644 §3.10). */
export function findPath(type: ResourceType, text: string): FoundPath {
  if (extension.test(text)) return 'ignored'
  const prefix = `${type.schema}:`.toLowerCase()
  const name = text.toLowerCase().startsWith(prefix) ? text.slice(prefix.length) : text
  const [first = '', second, ...more] = name.split('.')
  if (type.ignored.has(first.toLowerCase())) return 'ignored'
  const attribute = attributeOf(type, first)
  if (!attribute || more.length > 0) return 'unknown'
  if (second === undefined) return { attribute, subAttribute: null }
  const subAttribute = subAttributeOf(attribute, second)
  return subAttribute ? { attribute, subAttribute } : 'unknown'
}
