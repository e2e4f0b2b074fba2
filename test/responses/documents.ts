import * as graphql from 'graphql'
import type { GraphQLArgument, GraphQLField, GraphQLInputType, GraphQLSchema } from 'graphql'

type Field = GraphQLField<unknown, unknown>

export const unknownId = '00000000-0000-4000-8000-000000000000'
const wrongScalars: Record<string, unknown> = { ID: unknownId, Int: -1, Float: -1, Boolean: true, DateTime: '2000-01-01T00:00:00Z' }

/** A value of the type, with a wrong content where the type permits one; where a team is expected, it is this one. */
function wrongValue({ name, type }: { name: string; type: GraphQLInputType }, slug: string): unknown {
  if (graphql.isListType(graphql.getNullableType(type))) return []
  const named = graphql.getNamedType(type)
  if (graphql.isEnumType(named)) return named.getValues()[0]?.name
  if (!graphql.isInputObjectType(named)) return ['team', 'slug'].includes(name) ? slug : (wrongScalars[named.name] ?? '\n')
  const fields = Object.values(named.getFields()).filter((field) => graphql.isRequiredInputField(field) || field.name === 'team')
  return Object.fromEntries(fields.map((field) => [field.name, wrongValue(field, slug)]))
}

/** The scalars of the value and the errors of a payload. */
function selectionOf(type: graphql.GraphQLNamedType): string {
  if (!graphql.isCompositeType(type)) return ''
  const fields = graphql.isObjectType(type)
    ? Object.values(type.getFields()).filter(({ args }) => !args.some(graphql.isRequiredArgument))
    : []
  const scalars = fields.filter((field) => !graphql.isCompositeType(graphql.getNamedType(field.type))).map((field) => field.name)
  const errors = fields.some(({ name }) => name === 'errors') ? ['errors { __typename message code errors { field messages } }'] : []
  return `{ ${['__typename', ...scalars, ...errors].join(' ')} }`
}

function documentOf(operation: string, { name, type }: Field, args: readonly GraphQLArgument[]): string {
  const inParentheses = (texts: readonly string[]) => (texts.length === 0 ? '' : `(${texts.join(', ')})`)
  const declared = inParentheses(args.map((argument) => `$${argument.name}: ${String(argument.type)}`))
  const passed = inParentheses(args.map((argument) => `${argument.name}: $${argument.name}`))
  return `${operation} ${declared} { ${name}${passed} ${selectionOf(graphql.getNamedType(type))} }`
}

/** For each query and each mutation: a document without arguments, and one with wrong values. */
export function wrongDocuments(schema: GraphQLSchema, slug: string) {
  return Object.entries({ query: schema.getQueryType(), mutation: schema.getMutationType() }).flatMap(([operation, type]) =>
    Object.values(type?.getFields() ?? {}).flatMap((field) =>
      Object.entries({ 'without-arguments': [], 'with-wrong-values': field.args }).map(([name, args]) => ({
        name: `${operation}-${field.name}-${name}`,
        query: documentOf(operation, field, args),
        variables: Object.fromEntries(args.map((argument) => [argument.name, wrongValue(argument, slug)])),
      })),
    ),
  )
}
