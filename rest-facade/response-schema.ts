import { GraphQLEnumType, Kind, getNamedType, getNullableType, isListType, isNonNullType, isObjectType, isScalarType } from 'graphql'
import type { FieldNode, GraphQLObjectType, GraphQLOutputType, SelectionSetNode } from 'graphql'
import { schema } from '../schema/index.ts'
import { nullable, object } from './openapi-components.ts'
import type { Components, JsonSchema } from './openapi-components.ts'
import type { Route } from './route.ts'

/** A place in a document: what its field gives, and what is selected of it. */
interface Selected {
  type: GraphQLOutputType
  selectionSet: SelectionSetNode | undefined
}

export interface AnswerSchema {
  /** Of one resource: the whole answer, or an item of its list. */
  resource: JsonSchema
  /** The resource's name in the graph. */
  typeName: string
  /** Members that are there only when asked for. */
  included: readonly string[]
}

/** What a route answers, read off its document: aliases are the names, nullability and words are the graph's. */
export function answerSchema({ operationId, operation, answer }: Route, components: Components): AnswerSchema | null {
  if (answer.kind === 'empty') return null
  const [definition] = operation.document.definitions
  const root = definition?.kind === Kind.OPERATION_DEFINITION ? schema.getRootType(definition.operation) : null
  if (!root || definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${operationId}: not one operation`)
  const steps = answer.kind === 'page' ? [...answer.at.split('.'), 'nodes'] : answer.at.split('.')
  const selected = steps.reduce(step, { type: root, selectionSet: definition.selectionSet })
  const { type, selectionSet } = { ...selected, type: getNamedType(selected.type) }
  if (!isObjectType(type)) throw new Error(`${operationId}: ${answer.at} is not an object`)
  const included = fieldsOf(selectionSet).filter(isConditional).map(nameOf)
  return { resource: schemaOf({ type, selectionSet }, components), typeName: type.name, included }
}

function step({ type, selectionSet }: Selected, name: string): Selected {
  const field = fieldsOf(selectionSet).find((candidate) => nameOf(candidate) === name)
  const parent = getNamedType(type)
  if (!field || !isObjectType(parent)) throw new Error(`the document answers nothing at ${name}`)
  return { type: definitionOf(parent, field).type, selectionSet: field.selectionSet }
}

function schemaOf({ type, selectionSet }: Selected, components: Components): JsonSchema {
  if (isListType(type)) return { type: 'array', items: valueOf({ type: type.ofType, selectionSet }, components) }
  if (type instanceof GraphQLEnumType) return components.refer(type.name, enumSchema(type))
  if (isObjectType(type)) return components.refer(type.name, objectSchema(type, selectionSet, components))
  const scalar = isScalarType(type) ? scalars[type.name] : undefined
  if (!scalar) throw new Error(`OpenAPI knows no ${String(type)}`)
  return scalar
}

const valueOf = ({ type, selectionSet }: Selected, components: Components): JsonSchema => {
  const value = schemaOf({ type: getNullableType(type), selectionSet }, components)
  return isNonNullType(type) ? value : nullable(value)
}

function objectSchema(type: GraphQLObjectType, selectionSet: SelectionSetNode | undefined, components: Components): JsonSchema {
  const fields = fieldsOf(selectionSet)
  const properties = fields.map((field): [string, JsonSchema] => {
    const { type: given, description } = definitionOf(type, field)
    if (!description) throw new Error(`${type.name}.${field.name.value} has no description`)
    return [nameOf(field), { ...valueOf({ type: given, selectionSet: field.selectionSet }, components), description }]
  })
  return object(type.description ?? '', Object.fromEntries(properties), fields.filter(isConditional).map(nameOf))
}

/** The words of an enum as they leave: those it stands for, not GraphQL's capitals. */
export const enumSchema = (type: GraphQLEnumType): JsonSchema => ({
  type: 'string',
  enum: type.getValues().map(({ value }) => value as string),
  description: type.description ?? '',
})

const scalars: Record<string, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  MinorUnits: { type: 'integer' },
}

function fieldsOf(selectionSet: SelectionSetNode | undefined): FieldNode[] {
  return (selectionSet?.selections ?? []).map((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error('a route’s document spells its fields out, without fragments')
    return selection
  })
}

function definitionOf(type: GraphQLObjectType, { name }: FieldNode) {
  const definition = type.getFields()[name.value]
  if (!definition) throw new Error(`${type.name} has no field ${name.value}`)
  return definition
}

const nameOf = ({ alias, name }: FieldNode) => (alias ?? name).value
const isConditional = ({ directives = [] }: FieldNode) => directives.some(({ name }) => name.value === 'include' || name.value === 'skip')
