import { GraphQLNonNull, GraphQLString, getNullableType, isNonNullType, isObjectType, isScalarType } from 'graphql'
import type { GraphQLOutputType } from 'graphql'
import { builder } from './builder.ts'
import './index.ts'

/**
 * The schema as compiled operations see it. Each leaf of a scalar of our own costs a call with an array for its path,
 * eleven hundred on a page of invoices; where resolvers give what JSON carries, which their `Output` in builder.ts says,
 * a leaf is passed on like a built-in one.
 */
export const wireSchema = builder.toSchema({ sortSchema: false })
const passedOn = new Set(['Date', 'MinorUnits'])

for (const type of Object.values(wireSchema.getTypeMap())) {
  if (!isObjectType(type)) continue
  for (const field of Object.values(type.getFields())) field.type = onWire(field.type)
}

function onWire(type: GraphQLOutputType): GraphQLOutputType {
  const leaf = getNullableType(type)
  if (!isScalarType(leaf) || !passedOn.has(leaf.name)) return type
  return isNonNullType(type) ? new GraphQLNonNull(GraphQLString) : GraphQLString
}
