import { GraphQLEnumType, Kind, getNamedType, getNullableType, isListType, isNonNullType, isObjectType, isScalarType } from 'graphql'
import type { FieldNode, GraphQLObjectType, GraphQLOutputType, SelectionSetNode } from 'graphql'
import { z } from 'zod'
import { typeWithoutErrors } from '../../../schema/builder/nullability.ts'
import { schema } from '../../../schema/index.ts'
import { nullable, object } from '../components.ts'
import type { Components, JsonSchema } from '../components.ts'
import type { Route } from '../../route.ts'
import { enumSchema, jsonSchema } from './value-schema.ts'
import { versionAlias } from '../../status-codes.ts'

/** A position in a document: the type of its field and the selection on it. */
interface Selected {
  type: GraphQLOutputType
  selectionSet: SelectionSetNode | undefined
}

export interface ResourceSchema {
  /** Schema of one resource: the whole response, or an item of its list. */
  resource: JsonSchema
  /** Name of the resource's GraphQL type. */
  typeName: string
  /** Members that are present only on request. */
  included: readonly string[]
}

/** Returns the schema of a route's resource. The names are the aliases of its document; nullability and descriptions come from GraphQL. */
export function resourceSchema({ operationId, operation, response }: Route, components: Components): ResourceSchema | null {
  if (response.kind === 'empty') return null
  const [definition] = operation.document.definitions
  const root = definition?.kind === Kind.OPERATION_DEFINITION ? schema.getRootType(definition.operation) : null
  if (!root || definition?.kind !== Kind.OPERATION_DEFINITION)
    throw new Error(`${operationId}: the document does not start with an operation`)
  const steps = response.kind === 'page' || response.kind === 'feed' ? [...response.at.split('.'), 'nodes'] : response.at.split('.')
  const selected = steps.reduce(step, { type: root, selectionSet: definition.selectionSet })
  const { type, selectionSet } = { ...selected, type: getNamedType(selected.type) }
  if (!isObjectType(type)) throw new Error(`${operationId}: ${response.at} is not an object`)
  const included = listFields(selectionSet).filter(isConditional).map(getName)
  return { resource: buildSchema({ type, selectionSet }, components), typeName: type.name, included }
}

function step({ type, selectionSet }: Selected, name: string): Selected {
  const field = listFields(selectionSet).find((candidate) => getName(candidate) === name)
  const parent = getNamedType(type)
  if (!field || !isObjectType(parent)) throw new Error(`the document selects no object at ${name}`)
  return { type: typeWithoutErrors(getDefinition(parent, field)), selectionSet: field.selectionSet }
}

/** Components whose name differs from that of their GraphQL type, because generated clients depend on it. */
const renamed: Partial<Record<string, { name: string; description: string }>> = {
  Person: { name: 'TokenCreator', description: 'The user who created a token.' },
}

function buildSchema({ type, selectionSet }: Selected, components: Components): JsonSchema {
  if (isListType(type)) return { type: 'array', items: buildValueSchema({ type: type.ofType, selectionSet }, components) }
  if (type instanceof GraphQLEnumType) return components.refer(type.name, enumSchema(type))
  if (isObjectType(type)) {
    const { name, description } = renamed[type.name] ?? type
    return components.refer(name, { ...objectSchema(type, selectionSet, components), description: description ?? '' })
  }
  const scalar = isScalarType(type) ? scalars[type.name] : undefined
  if (!scalar) throw new Error(`OpenAPI has no schema for ${String(type)}`)
  return scalar
}

const buildValueSchema = ({ type, selectionSet }: Selected, components: Components): JsonSchema => {
  const value = buildSchema({ type: getNullableType(type), selectionSet }, components)
  return isNonNullType(type) ? value : nullable(value)
}

/** Returns the schema of a value that requests can set, too. Its enum, format and limits come from the rule of the requests. */
function buildRuledSchema({ type }: Selected, rule: z.ZodType, components: Components): JsonSchema {
  const value = jsonSchema(rule, components)
  const acceptsNull = rule.safeParse(null).success
  if (isNonNullType(type) && acceptsNull) throw new Error('the rule of a field that is never null accepts null')
  return isNonNullType(type) || acceptsNull ? value : nullable(value)
}

const isRule = (value: unknown): value is z.ZodType => value instanceof z.ZodType

function objectSchema(type: GraphQLObjectType, selectionSet: SelectionSetNode | undefined, components: Components): JsonSchema {
  const fields = listFields(selectionSet)
  const properties = fields.map((field): [string, JsonSchema] => {
    const definition = getDefinition(type, field)
    const { description, extensions } = definition
    if (!description) throw new Error(`${type.name}.${field.name.value} has no description`)
    const selected = { type: typeWithoutErrors(definition), selectionSet: field.selectionSet }
    const { rule } = extensions
    const value = isRule(rule) ? buildRuledSchema(selected, rule, components) : buildValueSchema(selected, components)
    return [getName(field), { ...value, description }]
  })
  return object('', Object.fromEntries(properties), fields.filter(isConditional).map(getName))
}

const scalars: Record<string, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  MinorUnits: { type: 'integer', format: 'int64' },
}

function listFields(selectionSet: SelectionSetNode | undefined): FieldNode[] {
  const fields = (selectionSet?.selections ?? []).map((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error('the document of a route must not use fragments')
    return selection
  })
  return fields.filter((field) => getName(field) !== versionAlias)
}

function getDefinition(type: GraphQLObjectType, { name }: FieldNode) {
  const definition = type.getFields()[name.value]
  if (!definition) throw new Error(`${type.name} has no field ${name.value}`)
  return definition
}

const getName = ({ alias, name }: FieldNode) => (alias ?? name).value
const isConditional = ({ directives = [] }: FieldNode) => directives.some(({ name }) => name.value === 'include' || name.value === 'skip')
