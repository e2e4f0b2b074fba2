import { GraphQLEnumType, Kind } from 'graphql'
import type { TypeNode, VariableDefinitionNode } from 'graphql'
import { schema } from '../schema/index.ts'

/** What a request says, by its public names: parameters of path and query, members of the body. */
export type Input = Readonly<Record<string, unknown>>
export type ToVariables = (input: Input) => Record<string, unknown>

/**
 * How a request's input becomes the variables of its document: `per_page` is `$perPage`, the word `owner` of an enum
 * is `OWNER`. What is absent leaves its variable out, which GraphQL keeps apart from null. `names` are all there are;
 * a variable fed by none of them stops the service at start.
 */
export function variablesOf(definitions: readonly VariableDefinitionNode[], names: readonly string[]): ToVariables {
  const sources = definitions.map(({ variable, type }) => {
    const variableName = variable.name.value
    const key = names.find((name) => camelCase(name) === variableName)
    if (key === undefined) throw new Error(`nothing feeds the variable $${variableName}`)
    return { variableName, key, convert: converter(type) }
  })
  return (input) => {
    const variables: Record<string, unknown> = {}
    for (const { variableName, key, convert } of sources) {
      const value = input[key]
      if (value !== undefined) variables[variableName] = convert(value)
    }
    return variables
  }
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

function converter(type: TypeNode): (value: unknown) => unknown {
  if (type.kind === Kind.NON_NULL_TYPE) return converter(type.type)
  if (type.kind === Kind.LIST_TYPE) {
    const convert = converter(type.type)
    return (value) => (Array.isArray(value) ? value.map(convert) : value)
  }
  const named = schema.getType(type.name.value)
  if (!(named instanceof GraphQLEnumType)) return (value) => value
  return (value) => (value === null ? null : named.serialize(value))
}
