import type { Context } from '../core/context.ts'
import { buildConnection } from './connection.ts'
import type { Connection, ConnectionArguments } from './connection.ts'
import type { OrderBy } from './order-by.ts'

/** A row with the values by which it is sorted: the key of the order, then an identifier. */
interface Keyed<Node> {
  node: Node
  key: string
  id: string
}

/** Sorts rows by an order, and rows with equal keys by their identifiers. */
export function sortRows<Node, Order extends string>(
  nodes: readonly Node[],
  { field, direction }: OrderBy<Order>,
  keys: Record<Order, (node: Node) => string>,
  getId: (node: Node) => string,
): Keyed<Node>[] {
  const rows = nodes.map((node) => ({ node, key: keys[field](node), id: getId(node) })).sort(compare)
  return direction === 'asc' ? rows : rows.reverse()
}

type Place = Pick<Keyed<unknown>, 'key' | 'id'>
const compare = (one: Place, other: Place): number =>
  one.key === other.key ? (one.id < other.id ? -1 : Number(one.id > other.id)) : one.key < other.key ? -1 : 1

/** Returns the connection of rows that are loaded already, sorted by `sortRows`. `list` is the name of the list and its filters. */
export function arrayConnection<Node>(
  context: Context,
  list: string,
  { field, direction }: OrderBy<string>,
  rows: readonly Keyed<Node>[],
  args: ConnectionArguments,
): Connection<Node> {
  const sign = direction === 'asc' ? 1 : -1
  return buildConnection(context, `${list} ${field} ${direction}`, args, {
    count: async () => rows.length,
    async readRange({ after, before, limit, isBackward }) {
      const from = (row: Place, { values: [key], id }: { values: (string | null)[]; id: string }) =>
        sign * compare(row, { key: key ?? '', id })
      const selected = rows.filter((row) => (!after || from(row, after) > 0) && (!before || from(row, before) < 0))
      const walked = isBackward ? selected.reverse() : selected
      return walked.slice(0, limit).map(({ node, key, id }) => ({ node, position: { values: [key], id } }))
    },
  })
}
