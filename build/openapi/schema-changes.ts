import { isDeepStrictEqual } from 'node:util'
import { readSchemaName } from '../../rest-facade/openapi/components.ts'
import type { JsonSchema } from '../../rest-facade/openapi/components.ts'
import { isSchema } from '../../rest-facade/openapi/schemas/value-schema.ts'

export type Entries<Value> = Record<string, Value>

/** A property of an object, a parameter or a header field. */
export interface Member {
  required?: boolean
  schema: JsonSchema
}

/** Who reads a value. The service must accept what it accepted before, and clients must be able to read what they receive. */
export type Reader = 'service' | 'client'

const isChanged = (was: unknown, is: unknown) => is !== undefined && !isDeepStrictEqual(is, was)
const isMoreAtLeast = (was: unknown, is: unknown) => Number(is ?? -Infinity) > Number(was ?? -Infinity)
const isLessAtMost = (was: unknown, is: unknown) => Number(is ?? Infinity) < Number(was ?? Infinity)

/** By keyword, a function that returns true if the new value of the keyword allows less than the old one. */
const isNarrower: Entries<(was: unknown, is: unknown) => boolean> = {
  // Every integer of a request and response fits in 64 bits.
  format: (was, is) => is !== 'int64' && isChanged(was, is),
  pattern: isChanged,
  uniqueItems: (was, is) => is === true && was !== true,
  // Another default changes the meaning of requests without the parameter.
  default: (was, is) => was !== undefined && !isDeepStrictEqual(was, is),
  ...Object.fromEntries(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map((name) => [name, isMoreAtLeast])),
  ...Object.fromEntries(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map((name) => [name, isLessAtMost])),
}

/** Compares each entry of `before` with the entry of `after` that has the same name. Additions are compatible. */
export const compareEntries = <Value>(
  before: Entries<Value> = {},
  after: Entries<Value> = {},
  at: string,
  compare: (before: Value, after: Value, at: string) => string[],
): string[] =>
  Object.entries(before).flatMap(([name, value]) =>
    after[name] === undefined ? `${at} ${name}: removed` : compare(value, after[name], `${at} ${name}`),
  )

/** Compares schemas, and those of `components.schemas` to which they refer. */
export class SchemaComparison {
  /** The changes of referenced schemas, by the reader and both references. */
  readonly #results = new Map<string, string[]>()
  readonly #baseline: Entries<JsonSchema>
  readonly #current: Entries<JsonSchema>

  constructor(baseline: Entries<JsonSchema>, current: Entries<JsonSchema>) {
    this.#baseline = baseline
    this.#current = current
  }

  compare(before: JsonSchema, after: JsonSchema, reader: Reader, at: string): string[] {
    if (before.$ref === undefined || after.$ref === undefined) return this.#compareValues(before, after, reader, at)
    const key = [reader, before.$ref, after.$ref].join(' ')
    const cached = this.#results.get(key)
    if (cached) return cached
    // A schema may contain itself.
    this.#results.set(key, [])
    const name = `${readSchemaName(before.$ref)} in ${reader === 'service' ? 'requests' : 'responses'}`
    const changes = this.#compareValues(before, after, reader, name)
    this.#results.set(key, changes)
    return changes
  }

  compareMembers(before: Entries<Member> = {}, after: Entries<Member> = {}, reader: Reader, at: string): string[] {
    const isNewlyRequired = ([name, { required }]: [string, Member]) => reader === 'service' && required === true && !before[name]
    return [
      ...Object.entries(after).flatMap((entry) => (isNewlyRequired(entry) ? `${at} ${entry[0]}: new and required` : [])),
      ...compareEntries(before, after, at, (was, is, name) => [
        ...(reader === 'service' && !was.required && is.required ? [`${name}: now required`] : []),
        ...(reader === 'client' && was.required && !is.required ? [`${name}: may now be absent`] : []),
        ...this.compare(was.schema, is.schema, reader, name),
      ]),
    ]
  }

  #compareValues(before: JsonSchema, after: JsonSchema, reader: Reader, at: string): string[] {
    const [was, is] = [readSchema(before, this.#baseline), readSchema(after, this.#current)]
    // Each value that is in the first one must be in the second one, too.
    const [part, whole] = reader === 'service' ? [was, is] : [is, was]
    const types = part.types.filter((type) => !whole.types.includes(type) && !(type === 'integer' && whole.types.includes('number')))
    const isOpen = reader === 'client' && was.rest['x-open-enum'] === true
    const values = part.values?.filter((value) => !whole.values?.includes(value)) ?? ['any value']
    const lost = [...(whole.types.length > 0 ? types : []), ...(whole.values && !isOpen ? values : [])]
    const keywords = Object.keys(isNarrower).filter((name) =>
      reader === 'service'
        ? isNarrower[name]?.(was.rest[name], is.rest[name])
        : name === 'format' && isChanged(is.rest[name], was.rest[name]),
    )
    return [
      ...lost.map((value) => `${at}: ${reader === 'service' ? 'no longer accepts' : 'may now be'} ${String(value)}`),
      ...keywords.map((name) => `${at}: ${name} was ${JSON.stringify(was.rest[name])}, is ${JSON.stringify(is.rest[name])}`),
      ...this.compareMembers(was.members, is.members, reader, at),
      ...['items', 'additionalProperties', 'propertyNames'].flatMap((name) => {
        const [one, two] = [was.rest[name], is.rest[name]]
        if (isSchema(one) && isSchema(two)) return this.compare(one, two, reader, `${at} ${name}`)
        return isChanged(reader === 'service' ? one : two, reader === 'service' ? two : one) ? `${at}: ${name} changed` : []
      }),
      ...part.alternatives.flatMap((alternative) => this.#findClosest(alternative, whole.alternatives, reader, at)),
    ]
  }

  /** Returns the changes of an alternative, compared with the one among `others` from which it differs least. */
  #findClosest(alternative: JsonSchema, others: JsonSchema[], reader: Reader, at: string): string[] {
    const sameName = others.filter(({ $ref }) => $ref !== undefined && $ref === alternative.$ref)
    const results = (sameName.length > 0 ? sameName : others).map((other) =>
      reader === 'service' ? this.compare(alternative, other, reader, at) : this.compare(other, alternative, reader, at),
    )
    return results.sort((a, b) => a.length - b.length)[0] ?? []
  }
}

interface Values {
  /** Types, also null; empty if every type is allowed. */
  types: string[]
  /** The values of an enumeration, also null. */
  values: unknown[] | undefined
  members: Entries<Member>
  alternatives: JsonSchema[]
  rest: JsonSchema
}

/** Resolves the reference, and separates null from the alternatives. */
function readSchema({ $ref, anyOf: options = [], ...rest }: JsonSchema, schemas: Entries<JsonSchema>): Values {
  if ($ref !== undefined) return readSchema({ ...schemas[readSchemaName($ref)], ...rest }, schemas)
  const alternatives = options.filter(({ type }) => type !== 'null')
  const [single, another] = alternatives
  const none = alternatives.length < options.length ? ['null'] : []
  if (single && !another) {
    const { types, values, ...value } = readSchema({ ...single, ...rest }, schemas)
    return { ...value, types: [...types, ...none], values: values && [...values, ...(none.length > 0 ? [null] : [])] }
  }
  const { type = [], enum: values = 'const' in rest ? [rest.const] : undefined, properties = {}, required = [] } = rest
  const members = Object.entries(properties).flatMap(([name, schema]) =>
    isSchema(schema) ? [[name, { required: required.includes(name), schema }] as const] : [],
  )
  return { types: [type, none].flat(), values, members: Object.fromEntries(members), alternatives, rest }
}
