import { z } from 'zod'
import type { ObjectRef } from '@pothos/core'
import { builder } from '../builder/builder.ts'
import type { Types } from '../builder/builder.ts'
import { defaultPerPage, maxPerPage } from '../builder/pagination.ts'
import type { Context } from '../core/context.ts'
import { parse } from '../core/validation.ts'
import { createCursors } from './cursor.ts'
import type { Position } from './cursor.ts'
import type { Range } from './list-text.ts'

export interface ConnectionArguments {
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
}

export interface Edge<Node> {
  node: Node
  cursor(): string
}

interface Edges<Node> {
  edges: Edge<Node>[]
  hasNextPage: boolean
  hasPreviousPage: boolean
}

/** Rows of a list as a Relay connection. Each function reads its rows when it is first called. */
export interface Connection<Node> {
  read(): Promise<Edges<Node>>
  count(): Promise<number>
}

interface Source<Node> {
  /** Reads rows in the order of the walk, which starts at the end if it is backward. */
  readRange(range: Range): Promise<{ node: Node; position: Position }[]>
  count(): Promise<number>
}

const size = z.int().min(1).max(maxPerPage).nullish()
const rules = z
  .object({ first: size, last: size, after: z.string().nullish(), before: z.string().nullish() })
  .refine(({ first, last }) => first == null || last == null, {
    path: ['last'],
    message: 'The :attribute field must not be used together with first.',
  })

/** Returns the connection of a source. `list` identifies the list, its owner, order and filters: other cursors are refused. */
export function buildConnection<Node>(context: Context, list: string, args: ConnectionArguments, source: Source<Node>): Connection<Node> {
  const { first, last, after, before } = parse(rules, args)
  const cursors = createCursors(context, list)
  const range = {
    after: after == null ? null : cursors.decode('after', after),
    before: before == null ? null : cursors.decode('before', before),
    isBackward: last != null,
  }
  const limit = last ?? first ?? defaultPerPage
  const read = async () => {
    // One additional row shows whether the list continues.
    const rows = await source.readRange({ ...range, limit: limit + 1 })
    const goesOn = rows.length > limit
    const edges = rows.slice(0, limit).map(({ node, position }) => ({ node, cursor: () => cursors.encode(position) }))
    // The other side contains at least the row of the cursor.
    if (range.isBackward) return { edges: edges.reverse(), hasPreviousPage: goesOn, hasNextPage: range.before !== null }
    return { edges, hasNextPage: goesOn, hasPreviousPage: range.after !== null }
  }
  let reading: Promise<Edges<Node>> | undefined
  return { read: () => (reading ??= read()), count: () => source.count() }
}

/** Arguments of every connection. */
export const connectionArguments = builder.args((t) => ({
  first: t.int({ description: `Number of resources from the start, 1 to ${maxPerPage}; default ${defaultPerPage}.` }),
  after: t.string({ description: 'Only resources after this cursor.' }),
  last: t.int({ description: `Number of resources from the end, 1 to ${maxPerPage}. Not together with \`first\`.` }),
  before: t.string({ description: 'Only resources before this cursor.' }),
}))

/** Complexity of a connection in an external document: the cost of its fields times the requested rows (src/graphql/limits.ts). */
export const connectionComplexity = ({ first, last }: ConnectionArguments) => ({
  field: 1,
  multiplier: Math.max(first ?? last ?? defaultPerPage, 1),
})

const PageInfoType = builder.objectRef<Edges<unknown>>('PageInfo').implement({
  description: 'Information about a page of a connection, as defined by the Relay specification.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether there are resources after the last one of this page.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description: 'Whether there are resources before the first one of this page.',
    }),
    startCursor: t.string({
      nullable: true,
      description: 'Cursor of the first resource; null for an empty page.',
      resolve: ({ edges }) => edges.at(0)?.cursor() ?? null,
    }),
    endCursor: t.string({
      nullable: true,
      description: 'Cursor of the last resource; null for an empty page.',
      resolve: ({ edges }) => edges.at(-1)?.cursor() ?? null,
    }),
  }),
})

// The fields that contain the resources cost nothing themselves, and the multiplier of the connection applies to their content.
const complexity = { field: 0, multiplier: 1 }

/** Creates the GraphQL types of a connection, `<name>Connection` and `<name>Edge`. */
export function connectionType<Node extends ObjectRef<Types, unknown>>(name: string, node: Node) {
  type Item = Node['$inferType']
  const edge = builder.objectRef<Edge<Item>>(`${name}Edge`).implement({
    fields: (t) => ({
      cursor: t.string({
        description: 'The position of the resource in the list, for `after` and `before` with the same order and filters.',
        resolve: (each) => each.cursor(),
      }),
      node: t.field({
        type: node,
        description: 'The resource.',
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot resolve Pothos' shape of a generic node
        resolve: (each) => each.node as never,
      }),
    }),
  })
  return builder.objectRef<Connection<Item>>(`${name}Connection`).implement({
    fields: (t) => ({
      edges: t.field({
        complexity,
        type: [edge],
        description: 'The resources, each with its cursor.',
        resolve: async (connection) => (await connection.read()).edges,
      }),
      nodes: t.field({
        complexity,
        type: [node],
        description: 'The resources.',
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
        resolve: ((connection) => connection.read().then(({ edges }) => edges.map((each) => each.node))) as (
          connection: Connection<Item>,
        ) => never,
      }),
      pageInfo: t.field({
        complexity,
        type: PageInfoType,
        description: 'Whether there are more resources, and the first and last cursor.',
        resolve: (connection) => connection.read(),
      }),
      totalCount: t.int({
        complexity: 0,
        description: 'Number of resources in the whole list. It is counted only if it is selected.',
        resolve: (connection) => connection.count(),
      }),
    }),
  })
}
