import type { ObjectRef } from '@pothos/core'
import type { Types } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import type { Requirement } from '../core/requires.ts'
import { connectionArguments, connectionComplexity, connectionType } from './connection.ts'
import type { ListQuery } from './declaration.ts'
import type { List } from './list.ts'

interface WholeListFields<Node extends ObjectRef<Types, unknown>, Order extends string, Filters> {
  description: string
  requires: Requirement
  type: Node
  list: List<Node['$inferType'], Order, Filters>
  /** The identifier of the list's owner. */
  owner: (context: Context) => string
  /** The rows and the order of both fields. */
  query: ListQuery<Order, Filters>
  /** The maximum number of rows that the field without pages returns; default all. */
  most?: number
}

/**
 * Declares the two fields of a short list without pages: `<name>` returns its rows, and `<name>Connection` the same rows as a Relay
 * connection.
 */
export function wholeListFields<Parent extends object, Node extends ObjectRef<Types, unknown>, Order extends string, Filters>(
  t: Pick<PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>, 'field'>,
  name: string,
  { description, requires, type, list, owner, query, most = Number.MAX_SAFE_INTEGER }: WholeListFields<Node, Order, Filters>,
) {
  const slice = { page: 1, perPage: most, offset: 0 }
  return {
    [name]: t.field({
      description,
      requires,
      type: [type],
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot resolve Pothos' shape of a generic node
      resolve: (async (_: Parent, __: object, context: Context) => {
        const { nodes } = await list.page(context, owner(context), query, slice, { nodes: true, total: false })
        return nodes
      }) as () => never,
    }),
    [`${name}Connection`]: t.field({
      description,
      requires,
      type: connectionType(type.name, type),
      complexity: connectionComplexity,
      args: connectionArguments,
      resolve: (_, args, context) => list.connection(context, owner(context), query, args),
    }),
  }
}
