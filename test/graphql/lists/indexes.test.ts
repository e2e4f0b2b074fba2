import { beforeAll, describe, expect, inject, test } from 'vitest'
import { addListRows } from '../../support/data/large/list-rows.ts'
import { rowsRead } from '../../support/data/rows-read.ts'
import { createOwnedTeam, createTeam, join } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

// The lists whose pages have a promised cost (docs/decisions/pagination.md#indexes), and the default orders of the others.

/** The type of a list, its name, and the arguments that are promised. */
const lists: [type: keyof typeof pathTo, name: string, args: string[]][] = [
  ['Query', 'teams', ['']],
  ['Team', 'members', ['']],
  ['Team', 'invoices', ['', 'DATE ASC', 'appId: FLOW', 'appId: FLOW, DATE ASC']],
  ['Team', 'tokens', ['']],
  ['Team', 'people', ['']],
  ['Team', 'auditEntries', ['']],
  ['Query', 'auditEntries', ['']],
  ['Team', 'invitations', ['']],
  ['Staff', 'users', ['']],
  ['Staff', 'tokens', ['']],
  ['Staff', 'auditEntries', ['']],
]

const pathTo = { Query: '', Team: 'team(slug: "listed")', Staff: 'staff' }

const service = useService()
const { pool } = service.database
let tokens: { owner: string; staff: string }
beforeAll(async () => {
  const { team, owner, token } = await createOwnedTeam(service.database, { slug: 'listed' })
  await join(service.database, await createTeam(service.database), owner, 'owner')
  tokens = { owner: token, staff: await staffToken(service.database, await createStaff(service.database)) }
  await addListRows(pool, team.id)
})

/** The largest number of rows that a statement reads for the first page and for the first and last ones of the connection. */
async function mostRowsRead(type: keyof typeof pathTo, name: string, args: string): Promise<number> {
  const send = async (selection: string) => {
    const path = pathTo[type]
    const { data, errors } = await graphql(
      service,
      type === 'Staff' ? tokens.staff : tokens.owner,
      path === '' ? `{ ${selection} }` : `{ ${path} { ${selection} } }`,
    )
    expect(errors).toEqual([])
    return path === '' ? data : Object.values<Record<string, any>>(data)[0]
  }
  const given = args.replace(/(\w+) (ASC|DESC)$/, 'orderBy: { field: $1, direction: $2 }')
  service.executions.length = 0
  const page = name === 'teams' ? '' : `page: ${name}(perPage: 50, ${given}) { nodes { __typename } }`
  const found = await send(`${page}
    first: ${name}Connection(first: 50, ${given}) { nodes { __typename } } last: ${name}Connection(last: 51, ${given}) { edges { cursor } }`)
  const cursor = found?.['last'].edges[0]?.cursor
  if (cursor) await send(`deep: ${name}Connection(first: 50, after: "${cursor}", ${given}) { nodes { __typename } }`)
  const pages = service.executions.filter(({ text }) => /"cursor0"|"inAll"|"keyId"/.test(text))
  return Math.max(0, ...(await Promise.all(pages.map(({ text, values }) => rowsRead(pool, text, values)))))
}

// PostgreSQL 15 estimates other costs and prefers to read all of so few members. It uses the indexes of larger teams.
describe.runIf(inject('testCluster').isEmbedded)('PostgreSQL reads at most 400 of 3,000 rows', () => {
  test.each(lists)('for a page of %s.%s', async (type, name, args) => {
    const read = await Promise.all(args.map(async (each) => [each, await mostRowsRead(type, name, each)] as const))
    expect(read.filter(([, rows]) => rows > 400)).toEqual([])
  })
})
