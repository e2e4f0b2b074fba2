import { invalidValue } from './error.ts'

/** A JSON object of a request or a resource. */
export type JsonObject = Record<string, unknown>

/** The definition of an attribute in its schema (RFC 7643 §7). */
export interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex'
  description: string
  multiValued?: boolean
  /** Maximum number of values. Attributes that only the service writes need no maximum. */
  maxValues?: number
  required?: boolean
  caseExact?: boolean
  mutability?: 'readOnly' | 'readWrite' | 'immutable'
  returned?: 'always' | 'default'
  uniqueness?: 'none' | 'server'
  subAttributes?: readonly Attribute[]
  referenceTypes?: readonly string[]
}

/** The type of a resource: its schema, and the attributes of all resources that the schema does not list (RFC 7643 §3.1). */
export interface ResourceType {
  name: 'User' | 'Group'
  endpoint: '/Users' | '/Groups'
  schema: string
  description: string
  attributes: readonly Attribute[]
  /** Lower-case names of standard attributes, and of parts after a dot, that the service ignores and does not store. */
  ignored: ReadonlySet<string>
}

export const commonAttributes: readonly Attribute[] = [
  { name: 'schemas', type: 'reference', multiValued: true, mutability: 'readOnly', returned: 'always', description: 'The schemas.' },
  {
    name: 'id',
    type: 'string',
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    description: 'The identifier of the resource.',
  },
  { name: 'externalId', type: 'string', caseExact: true, description: 'The identifier of the resource in the directory.' },
  {
    name: 'meta',
    type: 'complex',
    mutability: 'readOnly',
    description: 'Properties of the resource.',
    subAttributes: [
      { name: 'resourceType', type: 'string', caseExact: true, mutability: 'readOnly', description: 'The type of the resource.' },
      { name: 'created', type: 'dateTime', mutability: 'readOnly', description: 'When the resource was created.' },
      { name: 'lastModified', type: 'dateTime', mutability: 'readOnly', description: 'When the resource was last changed.' },
      { name: 'location', type: 'reference', mutability: 'readOnly', description: 'The URL of the resource.' },
      { name: 'version', type: 'string', caseExact: true, mutability: 'readOnly', description: 'The entity tag.' },
    ],
  },
]

const isNamed = (name: string) => (attribute: Attribute) => attribute.name.toLowerCase() === name.toLowerCase()

/** Returns the attribute of a resource, or of an attribute, with this name in upper or lower case (RFC 7643 §2.1). */
export const findAttribute = (type: ResourceType, name: string): Attribute | undefined =>
  type.attributes.find(isNamed(name)) ?? commonAttributes.find(isNamed(name))
export const findSubAttribute = (attribute: Attribute, name: string): Attribute | undefined => attribute.subAttributes?.find(isNamed(name))

/** Maximum members of an object in a request. Resources have less than a tenth, and each member is looked up among the attributes. */
const maxMembers = 1000

/** Returns the members of an object. Throws `invalidValue` if there are too many. */
export function listEntries(object: JsonObject): [name: string, value: unknown][] {
  const entries = Object.entries(object)
  if (entries.length > maxMembers) throw invalidValue(`An object has at most ${maxMembers.toLocaleString('en')} members.`)
  return entries
}

/** Returns the value of a member whose name is compared without case, or undefined. */
/** Returns the text of a simple value, for comparisons; null for an object, a list or no value. */
export const readMember = (object: JsonObject, name: string): unknown =>
  listEntries(object).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

export const toComparableText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null

/** Returns the parts of a value under the names of their attributes, without other parts. */
export function namedParts(attribute: Attribute, value: JsonObject): JsonObject {
  const parts: JsonObject = {}
  for (const [key, each] of listEntries(value)) {
    const part = findSubAttribute(attribute, key)
    if (part) parts[part.name] = each
  }
  return parts
}
