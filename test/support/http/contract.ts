import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Header, JsonSchema, Reference, Response } from '../../../rest-facade/openapi/components.ts'
import type { OpenApiDocument, OperationObject } from '../../../rest-facade/openapi/document.ts'

/** A request and its response. `path` is the path of the URL without the query. */
export interface Exchange {
  method: string
  path: string
  status: number
  headers: Headers
  /** The response body; empty if there is none. */
  text: string
}

/** Creates a function that validates values against schemas of a document. It rejects undeclared fields of objects. */
export function createValidator({ components }: Pick<OpenApiDocument, 'components'>) {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, keywords: ['components', 'x-open-enum'] })
  formats.default(ajv)
  const schemas = rejectUndeclaredFields(components.schemas)
  const compiled = new Map<string, ValidateFunction>()
  /** Returns the validation errors as text, or null if the value is valid. */
  return (schema: JsonSchema, value: unknown): string | null => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile({ ...rejectUndeclaredFields(schema), components: { schemas } })
    compiled.set(key, validate)
    if (validate(value)) return null
    return (validate.errors ?? [])
      .map(({ instancePath, message, params }) => `data${instancePath} ${message} ${JSON.stringify(params)}`)
      .join('; ')
  }
}

/**
 * Creates a function that compares exchanges with a document: status code, header fields and body. It throws an error
 * that names the operation and the difference. Responses that belong to no operation (unknown path, 405, 421) pass.
 */
export function createContractAssertion(document: OpenApiDocument): (exchange: Exchange) => void {
  const operations = Object.entries(document.paths).map(([path, item]) => ({ pattern: patternOf(path), item }))
  const validate = createValidator(document)
  return (exchange) => {
    const { method, status } = exchange
    const operation = isDecodable(exchange.path) ? operationOf(operations, exchange) : undefined
    if (!operation || status === 421) return
    const fail = (message: string) => {
      throw new Error(`${operation.operationId} returned ${status}: ${message}\n${exchange.text.slice(0, 2000)}`)
    }
    const declared = operation.responses[status]
    if (!declared) return fail('undeclared status code')
    const response = resolve<Response>(document, declared)
    for (const [name, declaredHeader] of Object.entries(response.headers)) {
      const headerError = findHeaderError(resolve<Header>(document, declaredHeader), exchange.headers.get(name), validate)
      if (headerError) fail(`header field ${name}: ${headerError}`)
    }
    if (method === 'HEAD') return
    const type = exchange.headers.get('content-type')
    if (!response.content) return exchange.text || type ? fail('undeclared body') : undefined
    const content = Object.entries(response.content).find(([name]) => name === type)?.[1]
    if (!content) return fail(`content type ${type} is undeclared`)
    const bodyError = validate(content.schema, JSON.parse(exchange.text))
    if (bodyError) fail(bodyError)
  }
}

function findHeaderError({ required, schema }: Header, value: string | null, validate: ReturnType<typeof createValidator>): string | null {
  if (value === null) return required ? 'is missing' : null
  return validate(schema, schema.type === 'integer' ? Number(value) : value)
}

type Operations = { pattern: RegExp; item: OpenApiDocument['paths'][string] }[]

function operationOf(operations: Operations, { method, path }: Exchange): OperationObject | undefined {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const item: Record<string, OperationObject> = operations.find(({ pattern }) => pattern.test(path))?.item ?? {}
  return item[verb]
}

// Express accepts a trailing slash.
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

function resolve<Target extends object>({ components }: OpenApiDocument, value: Target | Reference): Target {
  if (!isReference(value)) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  const objects: Record<string, Record<string, any>> = components
  const found = objects[kind]?.[name]
  if (!found) throw new Error(`the document has no ${value.$ref}`)
  return found
}

const isReference = (value: object): value is Reference => '$ref' in value

const rejectUndeclaredFields = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    inner?.type === 'object' && inner.properties && !('additionalProperties' in inner) ? { ...inner, additionalProperties: false } : inner,
  )
