import { GraphQLEnumType, Kind } from 'graphql'
import type { TypeNode, VariableDefinitionNode } from 'graphql'
import { schema } from '../schema/index.ts'

/** The input of a request by public names: path parameters, query parameters and members of the body. */
export type Input = Readonly<Record<string, unknown>>
export type ToVariables = (input: Input) => Record<string, unknown>

/**
 * Returns a function that converts a request's input to the variables of its document: `per_page` becomes `$perPage`, the enum value
 * `owner` becomes `OWNER`. Omits the variable of an absent input, which GraphQL distinguishes from null. `names` are all possible inputs; a
 * variable that none of them matches stops the service at start.
 */
export function createVariablesConverter(definitions: readonly VariableDefinitionNode[], names: readonly string[]): ToVariables {
  const sources = definitions.map(({ variable, type }) => {
    const variableName = variable.name.value
    const key = names.find((name) => camelCase(name) === variableName)
    if (key === undefined) throw new Error(`no parameter or member matches the variable $${variableName}`)
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

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, character: string) => character.toUpperCase())

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
