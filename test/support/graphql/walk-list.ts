import { expect } from 'vitest'
import { graphql } from '../http/graphql.ts'
import type { TestService } from '../service/service.ts'
import type { OwnedTeam } from '../data/team.ts'

/** A list of a team, and the arguments that select and sort its rows. */
export interface ListField {
  name: string
  id: string
  args: string
}

async function read(service: TestService, { team, token }: OwnedTeam, selection: string) {
  const { data, errors } = await graphql(service, token, `{ team(slug: "${team.slug}") { list: ${selection} } }`)
  expect(errors).toEqual([])
  return data.team.list
}

/** The identifiers of all numbered pages. */
export async function numberedPages(
  service: TestService,
  owned: OwnedTeam,
  { name, id, args }: ListField,
  perPage: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const list = await read(service, owned, `${name}(page: ${page}, perPage: ${perPage}, ${args}) { nodes { id: ${id} } total lastPage }`)
    ids.push(...list.nodes.map((node: { id: string }) => node.id))
    if (page < list.lastPage) continue
    expect(list.total).toBe(ids.length)
    return ids
  }
}

/**
 * The identifiers of the pages of a connection from the start or, backward, from the end, in the order of the list. `between` runs after
 * each page.
 */
export async function walk(
  service: TestService,
  owned: OwnedTeam,
  { name, id, args }: ListField,
  size: number,
  isBackward: boolean,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  for (;;) {
    const place = isBackward ? `last: ${size}, before: ${JSON.stringify(cursor)}` : `first: ${size}, after: ${JSON.stringify(cursor)}`
    const { edges, pageInfo } = await read(
      service,
      owned,
      `${name}Connection(${place}, ${args}) { edges { cursor node { id: ${id} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`,
    )
    const page = edges.map(({ node }: { node: { id: string } }) => node.id)
    expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges.at(0)?.cursor ?? null, edges.at(-1)?.cursor ?? null])
    if (isBackward) ids.unshift(...page)
    else ids.push(...page)
    expect(isBackward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage).toBe(cursor !== null)
    if (!(isBackward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return ids
    expect(page).toHaveLength(size)
    cursor = isBackward ? pageInfo.startCursor : pageInfo.endCursor
    await between()
  }
}
