import { getNamedType, getNullableType, isListType, isObjectType, isRequiredArgument, isUnionType } from 'graphql'
import type { GraphQLField, GraphQLObjectType, GraphQLOutputType } from 'graphql'

/** A selected field. Without `fields`, it is a scalar. */
export interface SelectedField {
  name: string
  isPlural: boolean
  /** The name of its type; null if it can have several, which `fields` is about. */
  type: string | null
  fields?: Selected
}
/** The selection on each type that an object can have. */
export type Selected = Readonly<Record<string, readonly SelectedField[]>>

/** A response of the service to a query of the selected fields. */
export interface Received {
  fields: readonly SelectedField[]
  data: unknown
}

/** Fields whose value is another one in each response. */
const random = new Set(['totpProposal', 'passkeyRegistration', 'passkeyConfirmation', 'passkeySignIn'])

const isPlural = (type: GraphQLOutputType) => isListType(getNullableType(type))

/** The types whose lists are selected. */
const withLists = new Set(['Viewer', 'Team'])

/**
 * Selects every field that needs no argument, of a type and of the types of its fields. Selects only the scalars of a type that is already
 * in the path, and of an object that is linked to one in a list.
 */
export function selectAll(type: GraphQLObjectType, path: readonly GraphQLObjectType[] = []): SelectedField[] {
  const selectable = ({ name, args }: GraphQLField<unknown, unknown>) => !random.has(name) && !args.some(isRequiredArgument)
  const fields = Object.values(type.getFields()).filter(selectable)
  const isLinked = 'id' in type.getFields() && path.some((above) => 'id' in above.getFields() && !withLists.has(above.name))
  const below = [...path, type]
  const selected = fields.flatMap((field): SelectedField[] => {
    const named = getNamedType(field.type)
    const types = isObjectType(named) ? [named] : isUnionType(named) ? named.getTypes() : null
    const base = { name: field.name, isPlural: isPlural(field.type) }
    if (!types) return 'getFields' in named ? [] : [{ ...base, type: named.name }]
    if (path.includes(type) || isLinked) return []
    const selections = types.map((each): [string, SelectedField[]] => [each.name, selectAll(each, below)])
    return [{ ...base, type: types.length === 1 ? named.name : null, fields: Object.fromEntries(selections) }]
  })
  return [{ name: '__typename', isPlural: false, type: 'String' }, ...selected]
}

/** The selection as GraphQL. */
export const printed = (fields: readonly SelectedField[]): string =>
  `{ ${fields.map((field) => (field.fields ? `${field.name} ${printedBelow(field)}` : field.name)).join(' ')} }`

function printedBelow({ type, fields = {} }: SelectedField): string {
  if (type !== null) return printed(fields[type] ?? [])
  const fragments = Object.entries(fields).map(([name, selection]) => `... on ${name} ${printed(selection)}`)
  return `{ __typename ${fragments.join(' ')} }`
}
