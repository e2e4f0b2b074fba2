import { getNamedType, isEnumType, isInputObjectType, isObjectType, isRequiredArgument } from 'graphql'
import type { GraphQLArgument, GraphQLField, GraphQLInputType, GraphQLNamedInputType, GraphQLObjectType } from 'graphql'
import { schema } from '../../../schema/index.ts'

export interface RandomQuery {
  source: string
  variables: Record<string, unknown>
}

/** Values for arguments by the name of their type, or by the name of the argument. Some are invalid. */
export type ArgumentValues = Record<string, readonly unknown[]>

/** Fields whose values are random or count an attempt. */
const excludedFields = new Set([
  'totpProposal',
  'passkeyRegistration',
  'passkeyConfirmation',
  'passkeySignIn',
  'openedLink',
  'openedInvitation',
])

/** Writes a value as in a document: names of enums and of fields have no quotes. */
function literalOf(value: unknown, type: GraphQLNamedInputType): string {
  if (isEnumType(type)) return String(value)
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = type.getFields()
  const written = Object.entries(value).flatMap(([name, each]) => {
    const field = fields[name]
    return field ? [`${name}: ${literalOf(each, getNamedType(field.type))}`] : []
  })
  return `{ ${written.join(', ')} }`
}

const fourTimes = <Value>(value: Value): Value[] => [value, value, value, value]

/**
 * Writes a query over the schema, with aliases, fragments, literals and variables. `choose(n)` decides everything: it returns an
 * integer below n.
 */
export function randomQuery(choose: (count: number) => number, values: ArgumentValues): RandomQuery {
  const variables: Record<string, unknown> = {}
  const definitions: string[] = []
  const fragments: string[] = []
  const pick = <Value>(list: readonly Value[]): Value | undefined => list[choose(list.length)]

  function valueOf(type: GraphQLInputType, name: string): unknown {
    const named = getNamedType(type)
    if (isEnumType(named)) return pick(named.getValues())?.name
    if (!isInputObjectType(named)) return pick(values[name] ?? values[named.name] ?? [null])
    return Object.fromEntries(Object.values(named.getFields()).map((each) => [each.name, valueOf(each.type, each.name)]))
  }

  function argument({ name, type }: GraphQLArgument): string {
    const value = valueOf(type, name)
    if (choose(2) === 0) return `${name}: ${literalOf(value, getNamedType(type))}`
    const variable = `v${definitions.length}`
    definitions.push(`$${variable}: ${String(type)}`)
    if (choose(8) > 0) variables[variable] = value
    return `${name}: $${variable}`
  }

  function field({ name, type, args }: GraphQLField<unknown, unknown>, depth: number): string {
    const written = args.filter((each) => isRequiredArgument(each) || choose(3) === 0).map(argument)
    const alias = choose(4) === 0 ? `a${choose(3)}: ` : ''
    const named = getNamedType(type)
    const below = isObjectType(named) ? ` ${selection(named, depth + 1)}` : ''
    return `${alias}${name}${written.length > 0 ? `(${written.join(', ')})` : ''}${below}`
  }

  function selection(type: GraphQLObjectType, depth: number): string {
    const different = Object.values(type.getFields()).filter(({ name }) => !excludedFields.has(name))
    const all = [...different, ...different.filter(({ name }) => depth === 0 && ['team', 'viewer'].includes(name)).flatMap(fourTimes)]
    const fields = all.filter((each) => depth < 5 || !isObjectType(getNamedType(each.type)))
    const selected = Array.from({ length: 1 + choose(4) }, () => {
      const chosen = pick(fields)
      const text = chosen && choose(12) > 0 ? field(chosen, depth) : '__typename'
      const wrapper = choose(8)
      if (wrapper === 0) return `... on ${type.name} { ${text} }`
      if (wrapper === 1) return `... { ${text} }`
      if (wrapper > 2) return text
      const fragment = `F${fragments.push(`fragment F${fragments.length} on ${type.name} { ${text} }`) - 1}`
      return `...${fragment} ...${fragment}`
    })
    return `{ ${selected.join(' ')} }`
  }

  const query = schema.getQueryType()
  if (!query) throw new Error('the schema has no queries')
  const body = selection(query, 0)
  const source = `query Random${definitions.length > 0 ? `(${definitions.join(', ')})` : ''} ${body} ${fragments.join(' ')}`
  return { source, variables }
}
