import { GraphQLNonNull, GraphQLString, getNullableType, isNonNullType, isObjectType, isScalarType } from 'graphql'
import type { GraphQLOutputType } from 'graphql'
import { builder } from './builder/builder.ts'
import { typeWithoutErrors } from './builder/nullability.ts'
import './index.ts'

/**
 * The schema by which graphql-jit compiles the queries of REST routes. graphql-jit calls a function for each leaf of a custom scalar, 1,100
 * times for a page of invoices. Values of these scalars already have their JSON form (`Output` in builder/builder.ts), so their type
 * becomes String, for which graphql-jit calls nothing. An error discards the whole result, so fields have their types without errors.
 */
export const restSchema = builder.toSchema({ sortSchema: false })
const stringScalars = new Set(['Date', 'MinorUnits'])

for (const type of Object.values(restSchema.getTypeMap())) {
  if (!isObjectType(type)) continue
  for (const field of Object.values(type.getFields())) field.type = withStringScalars(typeWithoutErrors(field))
}

function withStringScalars(type: GraphQLOutputType): GraphQLOutputType {
  const leaf = getNullableType(type)
  if (!isScalarType(leaf) || !stringScalars.has(leaf.name)) return type
  return isNonNullType(type) ? new GraphQLNonNull(GraphQLString) : GraphQLString
}
