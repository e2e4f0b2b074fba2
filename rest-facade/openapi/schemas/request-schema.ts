import { Kind, TypeInfo, getNamedType, isInputObjectType, visit, visitWithTypeInfo } from 'graphql'
import type { ValueNode } from 'graphql'
import { schema } from '../../../schema/index.ts'
import type { Components, JsonSchema } from '../components.ts'
import { idempotencyKeyHeader } from '../../http/idempotency-key.ts'
import type { Route } from '../../route.ts'
import { isVersioned } from '../../status-codes.ts'
import { pathSamples } from '../examples.ts'
import { isSchema, jsonSchema, toTypeName } from './value-schema.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  required: boolean
  style?: 'form' | undefined
  explode?: boolean | undefined
  schema: JsonSchema
  example?: unknown
}

export interface RequestBody {
  required: boolean
  content: { 'application/json': { schema: JsonSchema; example: unknown } }
}

/** Returns every parameter of a route: those of the path, of the query, and in header fields. */
export function buildParameters(route: Route, components: Components): Parameter[] {
  const descriptions = variableDescriptions(route)
  const inPath = route.pathParameters.map((name): Parameter => {
    const [description, example] = [descriptions.get(name), pathSamples[name]]
    if (!description || !example) throw new Error(`${route.operationId}: no description or example of {${name}}`)
    return { name, in: 'path', description, required: true, schema: { type: 'string' }, example }
  })
  const inHeader = headerParameters(route)
  if (!route.query) return [...inPath, ...inHeader]
  const { properties = {}, required = [] } = jsonSchema(route.query, components)
  const inQuery = Object.entries(properties).map(([name, property]): Parameter => {
    if (!isSchema(property)) throw new Error(`${route.operationId}: the parameter ${name} has no schema`)
    const { description = '', ...rest } = property
    const isList = rest.type === 'array'
    return {
      // The square brackets are part of the name, as in query strings of PHP.
      name: isList ? `${name}[]` : name,
      in: 'query',
      description,
      required: required.includes(name),
      style: isList ? 'form' : undefined,
      explode: isList ? true : undefined,
      schema: rest,
    }
  })
  return [...inPath, ...inQuery, ...inHeader]
}

/** The optional header field by which a client makes a request of each method conditional or repeatable. */
const conditionHeaders = {
  get: { name: 'If-None-Match', description: 'The `ETag` of the client’s copy: 304 while it is current.' },
  patch: { name: 'If-Match', description: 'The `ETag` that the change is based on: 412 if it is no longer current.' },
  post: {
    name: idempotencyKeyHeader,
    description: 'A unique key, for example a UUID. For 24 hours, a repeated request with it gets the same response and changes nothing.',
  },
} as const

function headerParameters(route: Route): Parameter[] {
  if (route.method !== 'post' && !isVersioned(route)) return []
  return [{ ...conditionHeaders[route.method], in: 'header', required: false, schema: { type: 'string' } }]
}

export function buildRequestBody({ operationId, summary, body, example }: Route, components: Components): RequestBody | undefined {
  if (!body) return undefined
  if (!example) throw new Error(`${operationId}: the body has no example`)
  const bodySchema = jsonSchema(body, components)
  const required = bodySchema.minProperties !== undefined || !body.safeParse({}).success
  const schema = components.refer(`${toTypeName(operationId)}Request`, { ...bodySchema, description: `The body of “${summary}”.` })
  return { required, content: { 'application/json': { schema, example } } }
}

/** Returns GraphQL's descriptions of the arguments and input fields to which the document's variables are passed. */
function variableDescriptions({ operation }: Route): Map<string, string> {
  const descriptions = new Map<string, string>()
  const types = new TypeInfo(schema)
  const describe = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === Kind.VARIABLE && description) descriptions.set(value.name.value, description)
  }
  const enter = visitWithTypeInfo(types, {
    Argument: ({ value }) => describe(value, types.getArgument()?.description),
    ObjectField: ({ name, value }) => {
      const parent = getNamedType(types.getParentInputType())
      if (isInputObjectType(parent)) describe(value, parent.getFields()[name.value]?.description)
    },
  })
  visit(operation.document, enter)
  return descriptions
}
