import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Header } from '../../rest-facade/openapi-headers.ts'
import type { JsonSchema, Reference, Response } from '../../rest-facade/openapi-components.ts'
import type { OpenApiDocument, OperationObject } from '../../rest-facade/openapi.ts'

/** What came back for a request; `path` is the URL's, below the origin and without its query. */
export interface Exchange {
  method: string
  path: string
  status: number
  headers: Headers
  /** The body as sent, empty for none. */
  text: string
}

/** Validates values against schemas of a document, with every object closed: a member that is not declared is refused. */
export function createValidator({ components }: Pick<OpenApiDocument, 'components'>) {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, keywords: ['components'] })
  formats.default(ajv)
  const schemas = closed(components.schemas)
  const compiled = new Map<string, ValidateFunction>()
  /** What is wrong with the value, in words; null for nothing. */
  return (schema: JsonSchema, value: unknown): string | null => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile({ ...closed(schema), components: { schemas } })
    compiled.set(key, validate)
    if (validate(value)) return null
    return (validate.errors ?? [])
      .map(({ instancePath, message, params }) => `data${instancePath} ${message} ${JSON.stringify(params)}`)
      .join('; ')
  }
}

/**
 * Holds exchanges to a document: the status is declared, header fields are there, the body is of its schema. Throws
 * an error that names the operation and what does not fit. What is no operation's answer (unknown path, 405, 421) passes.
 */
export function createContract(document: OpenApiDocument): (exchange: Exchange) => void {
  const operations = Object.entries(document.paths).map(([path, item]) => ({ pattern: patternOf(path), item }))
  const validate = createValidator(document)
  return (exchange) => {
    const { method, status } = exchange
    const operation = isDecodable(exchange.path) ? operationOf(operations, exchange) : undefined
    if (!operation || status === 421) return
    const fail = (words: string) => {
      throw new Error(`${operation.operationId} answered ${status}: ${words}\n${exchange.text.slice(0, 2000)}`)
    }
    const declared = operation.responses[status]
    if (!declared) return fail('this status is not declared')
    const response = resolve<Response>(document, declared)
    for (const [name, given] of Object.entries(response.headers)) {
      const wrong = headerFault(resolve<Header>(document, given), exchange.headers.get(name), validate)
      if (wrong) fail(`header field ${name}: ${wrong}`)
    }
    if (method === 'HEAD') return
    const type = exchange.headers.get('content-type')
    if (!response.content) return exchange.text || type ? fail('a body where none is declared') : undefined
    if (type !== 'application/json') return fail(`content type ${type} is not declared`)
    const wrong = validate(response.content['application/json'].schema, JSON.parse(exchange.text))
    if (wrong) fail(wrong)
  }
}

function headerFault({ required, schema }: Header, value: string | null, validate: ReturnType<typeof createValidator>): string | null {
  if (value === null) return required ? 'is missing' : null
  return validate(schema, schema.type === 'integer' ? Number(value) : value)
}

type Operations = { pattern: RegExp; item: OpenApiDocument['paths'][string] }[]

function operationOf(operations: Operations, { method, path }: Exchange): OperationObject | undefined {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const item: Record<string, OperationObject> = operations.find(({ pattern }) => pattern.test(path))?.item ?? {}
  return item[verb]
}

// Routers take a slash at the end.
const patternOf = (path: string) => new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}/?$`)

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

function resolve<Target>({ components }: OpenApiDocument, value: Target | Reference): Target {
  if (!(value as Reference).$ref) return value as Target
  const [, , kind = '', name = ''] = (value as Reference).$ref.split('/')
  const found = (components as Record<string, Record<string, unknown>>)[kind]?.[name]
  if (!found) throw new Error(`the document has no ${(value as Reference).$ref}`)
  return found as Target
}

const closed = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    inner?.type === 'object' && inner.properties && !('additionalProperties' in inner) ? { ...inner, additionalProperties: false } : inner,
  ) as Value
