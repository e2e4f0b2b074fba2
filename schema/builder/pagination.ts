import type { ObjectRef } from '@pothos/core'
import { z } from 'zod'
import { parse } from '../core/validation.ts'
import { builder } from './builder.ts'
import type { Types } from './builder.ts'
import { enumType } from './enum-type.ts'

// Limits of every list, for REST and GraphQL (docs/decisions/page-format.md#query-parameters).
export const pageNumber = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
  .default(1)
  .describe('Page of the list, from 1.')
export const defaultPerPage = 50
export const maxPerPage = 100
export const pageSize = z.int().min(1).max(maxPerPage).default(defaultPerPage).describe('Resources per page.')

/** Rows of a list, with the size of the whole list. */
export interface Rows<Row> {
  nodes: Row[]
  total: number
}

/** One page of a list, with the size of the whole list. */
export interface Page<Node> extends Rows<Node> {
  page: number
  perPage: number
}

export interface Slice {
  page: number
  perPage: number
  /** Number of resources before this page. */
  offset: number
}

interface PageArguments {
  page?: number | null
  perPage?: number | null
}

const sliceRules = z.object({ page: pageNumber, perPage: pageSize })

/** Validates the arguments of a list. The façade has validated those of REST requests already; those of GraphQL are validated here. */
export function slice(args: PageArguments): Slice {
  const { page, perPage } = parse(sliceRules, { page: args.page ?? undefined, perPage: args.perPage ?? undefined })
  return { page, perPage, offset: (page - 1) * perPage }
}

export const lastPage = ({ total, perPage }: Pick<Page<unknown>, 'total' | 'perPage'>) => Math.max(Math.ceil(total / perPage), 1)

/** Loads a page of a list for operators: one statement counts the rows, another reads those of the page. */
export async function loadPage<Node>(
  args: PageArguments,
  list: { count(): Promise<{ count: number }[]>; find(limit: number, offset: number): Promise<Node[]> },
): Promise<Page<Node>> {
  const { page, perPage, offset } = slice(args)
  const [[counted], nodes] = await Promise.all([list.count(), list.find(perPage, offset)])
  return { nodes, total: counted?.count ?? 0, page, perPage }
}

/** Arguments of every list. */
export const pageArguments = builder.args((t) => ({
  page: t.int({ description: 'Page of the list, from 1; default 1.' }),
  perPage: t.int({ description: `Resources per page, 1 to ${maxPerPage}; default ${defaultPerPage}.` }),
}))

/** Complexity of a list in an external document: the cost of its fields times the requested rows (src/graphql/limits.ts). */
export const listComplexity = ({ perPage }: { perPage?: number | null }) => ({
  field: 1,
  multiplier: Math.max(perPage ?? defaultPerPage, 1),
})

/** Creates the GraphQL type of a page: its resources, and the numbers from which page links are computed. */
export const pageType = <Node extends ObjectRef<Types, unknown>>(name: string, node: Node) =>
  builder.objectRef<Page<Node['$inferType']>>(name).implement({
    fields: (t) => ({
      nodes: t.field({
        complexity: { field: 0, multiplier: 1 },
        type: [node],
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot resolve Pothos' shape of a generic node
        resolve: (page) => page.nodes as never,
        description: 'The resources of this page.',
      }),
      // The multiplier of the list applies only to its resources.
      total: t.exposeInt('total', { complexity: 0, description: 'Number of resources in the whole list.' }),
      page: t.exposeInt('page', { complexity: 0, description: 'Number of this page, from 1.' }),
      perPage: t.exposeInt('perPage', { complexity: 0, description: 'Resources per page.' }),
      lastPage: t.int({ complexity: 0, resolve: lastPage, description: 'Number of the last page, at least 1.' }),
    }),
  })

export type SortDirection = 'asc' | 'desc'

export const SortDirectionType = enumType('SortDirection', 'Direction of a sort. For times, `DESC` is newest first.', {
  asc: 'Smallest, oldest or first in the alphabet first.',
  desc: 'Largest, newest or last in the alphabet first.',
} satisfies Record<SortDirection, string>)
