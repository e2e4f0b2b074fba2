import { isDeepStrictEqual } from 'node:util'
import { GraphQLEnumType, Kind, TypeInfo, getNamedType, isInputObjectType, visit, visitWithTypeInfo } from 'graphql'
import type { ValueNode } from 'graphql'
import { z } from 'zod'
import { schema } from '../schema/index.ts'
import { nullable, schemaPath } from './openapi-components.ts'
import type { Components, JsonSchema } from './openapi-components.ts'
import { enumSchema } from './response-schema.ts'
import type { Route } from './route.ts'
import { pathSamples } from './samples.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query'
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

/** Every parameter of a route: the path's, then those its query schema names. */
export function parametersOf(route: Route, components: Components): Parameter[] {
  const words = variableWords(route)
  const inPath = route.pathParameters.map((name): Parameter => {
    const [description, example] = [words.get(name), pathSamples[name]]
    if (!description || !example) throw new Error(`${route.operationId}: nothing describes {${name}}`)
    return { name, in: 'path', description, required: true, schema: { type: 'string' }, example }
  })
  if (!route.query) return inPath
  const { properties = {}, required = [] } = jsonSchema(route.query, components)
  const inQuery = Object.entries(properties).map(([name, given]): Parameter => {
    const { description = '', ...rest } = given as JsonSchema
    const isList = rest.type === 'array'
    return {
      // The square brackets are part of the name, as PHP's query strings have it.
      name: isList ? `${name}[]` : name,
      in: 'query',
      description,
      required: required.includes(name),
      style: isList ? 'form' : undefined,
      explode: isList ? true : undefined,
      schema: rest,
    }
  })
  return [...inPath, ...inQuery]
}

export function requestBodyOf({ operationId, body, example }: Route, components: Components): RequestBody | undefined {
  if (!body) return undefined
  if (!example) throw new Error(`${operationId}: the body has no example`)
  const given = jsonSchema(body, components)
  const required = given.minProperties !== undefined || !body.safeParse({}).success
  return { required, content: { 'application/json': { schema: given, example } } }
}

/** A zod schema as OpenAPI says it; schemas with an `id` become components. */
function jsonSchema(from: z.ZodType, components: Components): JsonSchema {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(from, { io: 'input' })
  for (const [name, definition] of Object.entries($defs)) components.refer(name, ofGraph(name, definition) ?? definition)
  return JSON.parse(JSON.stringify(rest), plain) as JsonSchema
}

/** An enum that the graph has too is told in the graph's words. */
function ofGraph(name: string, definition: JsonSchema): JsonSchema | null {
  const type = schema.getType(name)
  if (!(type instanceof GraphQLEnumType)) return null
  const told = enumSchema(type)
  if (!isDeepStrictEqual(told.enum, definition.enum)) throw new Error(`${name} is one enum in the graph and another in requests`)
  return told
}

function plain(key: string, value: unknown): unknown {
  if (key === '$ref') return (value as string).replace('#/$defs/', schemaPath)
  const { anyOf, ...rest } = (value ?? {}) as JsonSchema
  const [first, second] = anyOf ?? []
  return first && second?.type === 'null' && anyOf?.length === 2 ? { ...nullable(first), ...rest } : value
}

/** What the graph says of the arguments and input fields that a document's variables are given to. */
function variableWords({ operation }: Route): Map<string, string> {
  const words = new Map<string, string>()
  const types = new TypeInfo(schema)
  const note = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === Kind.VARIABLE && description) words.set(value.name.value, description)
  }
  const visitor = visitWithTypeInfo(types, {
    Argument: ({ value }) => note(value, types.getArgument()?.description),
    ObjectField: ({ name, value }) => {
      const parent = getNamedType(types.getParentInputType())
      if (isInputObjectType(parent)) note(value, parent.getFields()[name.value]?.description)
    },
  })
  visit(operation.document, visitor)
  return words
}
