import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core'
import type { Types } from '../builder/builder.ts'
import { listComplexity, pageArguments, slice } from '../builder/pagination.ts'
import type { Page } from '../builder/pagination.ts'
import type { Context } from '../core/context.ts'
import type { Requirement } from '../core/requires.ts'
import { connectionArguments, connectionComplexity } from './connection.ts'
import type { Connection } from './connection.ts'
import type { ListQuery } from './declaration.ts'
import type { List } from './list.ts'
import { selects } from './selection.ts'

interface ListFields<Parent, Node, Args extends InputFieldMap, Order extends string, Filters> {
  description: string
  requires?: Requirement
  /** Cost in an external document besides its rows; default 1. */
  cost?: number
  /** The types of the numbered page and of the connection: `pageType` and `connectionType` of the same node. */
  page: ObjectRef<Types, Page<Node>>
  connection: ObjectRef<Types, Connection<Node>>
  /** The filters and `orderBy`. */
  args: Args
  list: List<Node, Order, Filters>
  /** The identifier of the list's owner; by default that of the parent. */
  owner?: (parent: Parent, context: Context) => string
  /** Returns the identifiers of several owners whose rows form one list. Replaces `owner`. */
  owners?: (args: InputShapeFromFields<Args>, context: Context) => Promise<readonly string[]>
  /**
   * Returns the query for the rows that the arguments select. It must not contain the time, because owners with an equal query share a
   * statement, and cursors belong to one query: conditions have `now` instead.
   */
  query: (
    args: InputShapeFromFields<Args>,
    context: Context,
    parent: Parent,
  ) => ListQuery<Order, Filters> | Promise<ListQuery<Order, Filters>>
}

/**
 * Declares the two fields of a list: `<name>`, its numbered pages, and `<name>Connection`, the same rows as a Relay connection.
 *
 *     builder.objectFields(TeamType, (t) => listFields(t, 'members', { … }))
 */
export function listFields<Parent extends object, Node, Args extends InputFieldMap, Order extends string, Filters>(
  t: Pick<PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>, 'field'>,
  name: string,
  {
    description,
    requires,
    cost = 1,
    page,
    connection,
    args,
    list,
    query,
    owner = getIdentifier,
    owners,
  }: ListFields<Parent, Node, Args, Order, Filters>,
) {
  // TypeScript cannot resolve the shape of arguments that consist of generic and other ones.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields declare them
  const listArguments = (input: object) => input as InputShapeFromFields<Args>
  const ownCost = cost === undefined || cost <= 1 ? '' : `\n\nCosts ${cost} besides the selected fields.`
  const options = { description: description + ownCost, ...(requires && { requires }) }
  return {
    [name]: t.field({
      ...options,
      type: page,
      complexity: (args) => ({ ...listComplexity(args), field: cost }),
      args: { ...args, ...pageArguments },
      resolve: async (parent, input: object, context, info) => {
        const requested = { nodes: selects(info, 'nodes'), total: selects(info, 'total', 'lastPage') }
        const rows = await query(listArguments(input), context, parent)
        if (owners) return list.pageAcross(context, await owners(listArguments(input), context), rows, slice(input), requested)
        return list.page(context, owner(parent, context), rows, slice(input), requested)
      },
    }),
    [`${name}Connection`]: t.field({
      ...options,
      type: connection,
      complexity: (args) => ({ ...connectionComplexity(args), field: cost }),
      args: { ...args, ...connectionArguments },
      resolve: async (parent, input: object, context) => {
        const rows = await query(listArguments(input), context, parent)
        if (owners) return list.connectionAcross(context, await owners(listArguments(input), context), rows, input)
        return list.connection(context, owner(parent, context), rows, input)
      },
    }),
  }
}

function getIdentifier(parent: object): string {
  if (!('id' in parent)) throw new Error('the parent has no identifier; the list needs `owner`')
  return String(parent.id)
}
