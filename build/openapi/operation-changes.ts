import { SchemaComparison, compareEntries } from './schema-changes.ts'
import type { Entries, Member, Reader } from './schema-changes.ts'
import type { JsonSchema } from '../../rest-facade/openapi/components.ts'

type Content = Entries<{ schema: JsonSchema }>
type Paths = Entries<Entries<Operation>>

interface Operation {
  operationId: string
  parameters?: (Member & { name: string; in: string })[]
  requestBody?: { required?: boolean; content: Content }
  responses: Entries<{ headers?: Entries<Member>; content?: Content }>
  security?: Entries<string[]>[]
}

/** The part of an OpenAPI document on which clients depend. Only schemas contain references. */
export interface Contract {
  paths: Paths
  webhooks: Paths
  components: { schemas: Entries<JsonSchema>; securitySchemes: Entries<unknown> }
}

/**
 * Returns the changes that break clients of the baseline. Requests may only accept more, responses may only promise more, and no operation may
 * need more scopes. Clients read the requests of webhooks, which the service sends.
 */
export function listBreakingChanges(baseline: Contract, current: Contract): string[] {
  const [before, after] = [baseline.components, current.components]
  const comparison = new OperationComparison(before.schemas, after.schemas)
  const changes = [
    ...comparison.comparePaths(baseline.paths, current.paths, 'service'),
    ...comparison.comparePaths(baseline.webhooks, current.webhooks, 'client'),
    // Generated clients have a type of this name.
    ...compareEntries(before.schemas, after.schemas, 'schema', () => []),
    ...findRemoved(before.securitySchemes, after.securitySchemes, 'security scheme'),
  ]
  return [...new Set(changes)]
}

class OperationComparison extends SchemaComparison {
  comparePaths(before: Paths, after: Paths, reader: Reader): string[] {
    return Object.entries(before).flatMap(([path, operations]) =>
      compareEntries(operations, after[path], path, (was, is) => this.#compareOperations(was, is, reader)),
    )
  }

  /** Compares operations whose requests `reader` reads. */
  #compareOperations(before: Operation, after: Operation, reader: Reader): string[] {
    const at = before.operationId
    const sender = reader === 'service' ? 'client' : 'service'
    const isBodyRequired = reader === 'service' && after.requestBody?.required === true && before.requestBody?.required !== true
    return [
      ...(after.operationId === at ? [] : [`${at}: operationId is now ${after.operationId}`]),
      ...(before.security ?? []).flatMap((each) => (isSufficient(each, after) ? [] : `${at}: needs more than ${JSON.stringify(each)}`)),
      ...this.compareMembers(byPosition(before), byPosition(after), reader, at),
      ...(isBodyRequired ? [`${at} body: now required`] : []),
      ...this.#compareContent(before.requestBody?.content, after.requestBody?.content, reader, `${at} body`),
      ...compareEntries(before.responses, after.responses, at, (was, is, status) => [
        ...this.compareMembers(was.headers, is.headers, sender, status),
        ...this.#compareContent(was.content, is.content, sender, status),
      ]),
    ]
  }

  #compareContent(before: Content | undefined, after: Content | undefined, reader: Reader, at: string): string[] {
    return compareEntries(before, after, at, (was, is, type) => this.compare(was.schema, is.schema, reader, type))
  }
}

const byPosition = ({ parameters = [] }: Operation) =>
  Object.fromEntries(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))

/** Returns true if these scopes by security scheme still meet one of the operation's requirements. */
const isSufficient = (granted: Entries<string[]>, { security = [] }: Operation) =>
  security.length === 0 ||
  security.some((each) =>
    Object.entries(each).every(([scheme, scopes]) => granted[scheme] && scopes.every((scope) => granted[scheme]?.includes(scope))),
  )

/** Returns the members, items and values that were removed or changed. */
function findRemoved(before: unknown, after: unknown, at: string): string[] {
  if (Array.isArray(before) && Array.isArray(after))
    return before.flatMap((item) => (after.includes(item) ? [] : `${at}: lacks ${String(item)}`))
  if (isEntries(before) && isEntries(after)) return compareEntries(before, after, at, findRemoved)
  return before === after ? [] : [`${at}: is ${JSON.stringify(after)}, was ${JSON.stringify(before)}`]
}

const isEntries = (value: unknown): value is Entries<unknown> => typeof value === 'object' && value !== null
