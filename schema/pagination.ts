import { z } from 'zod'
import type { ObjectRef } from '@pothos/core'
import { builder } from './builder.ts'
import type { Types } from './builder.ts'
import { parse } from './validation.ts'

// Limits of §8 and decisions §3, for every list of every door.
export const pageNumber = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
  .default(1)
  .describe('Page of the list, from 1.')
export const pageSize = z.int().min(1).max(100).default(50).describe('Resources a page.')

/** One page of a list and where it stands in the whole. */
export interface Page<Node> {
  nodes: Node[]
  total: number
  page: number
  perPage: number
}

export interface Slice {
  page: number
  perPage: number
  /** Resources before this page. */
  offset: number
}

const sliceRules = z.object({ page: pageNumber, perPage: pageSize })

/** The page asked for, validated: the façade's own validation came first, GraphQL's callers meet this one. */
export function slice(args: { page?: number | null; perPage?: number | null }): Slice {
  const { page, perPage } = parse(sliceRules, { page: args.page ?? undefined, perPage: args.perPage ?? undefined })
  return { page, perPage, offset: (page - 1) * perPage }
}

export const lastPage = ({ total, perPage }: Pick<Page<unknown>, 'total' | 'perPage'>) => Math.max(Math.ceil(total / perPage), 1)

/** Rows of a statement that selects how many there are in all beside each row, and one row of NULLs for an empty page. */
export function pageOf<Row extends { inAll: number }>(rows: Row[], { page, perPage }: Slice, key: keyof Row): Page<Row> {
  const nodes = rows[0]?.[key] == null ? [] : rows
  return { nodes, total: rows[0]?.inAll ?? 0, page, perPage }
}

/** Arguments of every list. */
export const pageArguments = builder.args((t) => ({
  page: t.int({ description: 'Page of the list, from 1; 1 unless told.' }),
  perPage: t.int({ description: 'Resources a page, 1 to 100; 50 unless told.' }),
}))

/** What a list costs in a document from outside: its fields as many times as rows are asked for (src/graphql/limits.ts). */
export const listComplexity = ({ perPage }: { perPage?: number | null }) => ({ field: 1, multiplier: Math.max(perPage ?? 50, 1) })

/** The GraphQL type of a page: `nodes`, and the numbers from which a door makes its links. */
export const pageType = <Node extends ObjectRef<Types, unknown>>(name: string, node: Node) =>
  builder.objectRef<Page<Node['$inferType']>>(name).implement({
    description: 'One page of a list.',
    fields: (t) => ({
      nodes: t.field({
        complexity: { field: 0, multiplier: 1 },
        type: [node],
        resolve: (page) => page.nodes as never,
        description: 'The resources of this page.',
      }),
      total: t.exposeInt('total', { description: 'Resources in the whole list.' }),
      page: t.exposeInt('page', { description: 'Number of this page, from 1.' }),
      perPage: t.exposeInt('perPage', { description: 'Resources a page.' }),
      lastPage: t.int({ resolve: lastPage, description: 'Number of the last page, at least 1.' }),
    }),
  })
