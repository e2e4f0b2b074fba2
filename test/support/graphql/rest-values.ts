import { GraphQLEnumType, Kind, getNamedType, isObjectType, parse } from 'graphql'
import type { GraphQLNamedType, SelectionSetNode } from 'graphql'
import { expect } from 'vitest'
import type { Route } from '../../../rest-facade/route.ts'
import { isVersioned, versionAlias } from '../../../rest-facade/status-codes.ts'
import { schema } from '../../../schema/index.ts'

/** The REST response body without the pagination envelope. */
export const restData = ({ response }: Route, body: any) => (['list', 'page', 'feed'].includes(response.kind) ? body.data : body)

/** The GraphQL result of the route, with enum values converted to their REST values. */
export function graphqlData(route: Route, data: any) {
  if (route.response.kind === 'empty') return null
  const [definition] = parse(route.document).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('not an operation')
  const root = definition.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const converted = root ? convertEnumValues(data, definition.selectionSet, root) : null
  const result = selectResult(route, converted)
  // REST sends the version as ETag.
  if (isVersioned(route)) delete result[versionAlias]
  if (route.response.kind === 'page' || route.response.kind === 'feed') return result.nodes
  // The two requests change the object one after the other.
  return definition.operation === 'mutation' ? { ...result, updated_at: expect.any(String) } : result
}

/** The part of a GraphQL result that the route returns. */
export const selectResult = ({ response }: Route, data: any) =>
  response.kind === 'empty' ? null : response.at.split('.').reduce((inner, name) => inner[name], data)

function convertEnumValues(value: any, selection: SelectionSetNode | undefined, type: GraphQLNamedType): any {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((item) => convertEnumValues(item, selection, type))
  if (type instanceof GraphQLEnumType) return type.parseValue(value)
  if (!isObjectType(type) || !selection) return value
  return Object.fromEntries(
    selection.selections.flatMap((node) => {
      if (node.kind !== Kind.FIELD) throw new Error('route documents have no fragments')
      const name = node.alias?.value ?? node.name.value
      const field = type.getFields()[node.name.value]
      return name in value && field ? [[name, convertEnumValues(value[name], node.selectionSet, getNamedType(field.type))]] : []
    }),
  )
}

/** Validation errors are keyed by the parameter name as sent: `perPage` in GraphQL, `per_page` in REST. */
export const convertKeysToSnakeCase = (errors: Record<string, string[]> | undefined) =>
  errors &&
  Object.fromEntries(
    Object.entries(errors).map(([key, messages]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), messages]),
  )
