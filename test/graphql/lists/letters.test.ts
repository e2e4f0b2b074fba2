import { beforeAll, describe, expect, inject, test } from 'vitest'
import { rowsRead } from '../../support/data/rows-read.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

// docs/decisions/pagination.md#letters

const names = ['Łukasz Żak', 'Zoë Müller', 'Олена Шевченко', '山田太郎', 'Émile Zola', 'émile abel', 'Eve']
const service = useService()
const { pool } = service.database
let owned: OwnedTeam
let staff: string
beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
  staff = await staffToken(service.database, await createStaff(service.database))
  for (const name of names) await join(service.database, owned.team, await createUser(service.database, { name }), 'member')
})

/** Each list of people, with the fields that lead to its names. */
const lists = ['members', 'people', 'users'] as const

async function namesOf(list: (typeof lists)[number], args: string): Promise<string[]> {
  const query =
    list === 'users'
      ? `{ staff { list: users(${args}) { nodes { name } } } }`
      : `{ team(slug: "${owned.team.slug}") { list: ${list}(${args}) { nodes { name } } } }`
  const { data, errors } = await graphql(service, list === 'users' ? staff : owned.token, query)
  expect(errors).toEqual([])
  return (data.staff ?? data.team).list.nodes.map(({ name }: { name: string }) => name)
}

describe.each(lists)('%s', (list) => {
  test.each([
    ['łukasz', 'Łukasz Żak'],
    ['ŻAK', 'Łukasz Żak'],
    ['MÜLLER', 'Zoë Müller'],
    ['олена', 'Олена Шевченко'],
    ['ШЕВЧ', 'Олена Шевченко'],
    ['山田太', '山田太郎'],
  ])('are found by %s in upper or lower case', async (search, name) => {
    expect(await namesOf(list, `search: "${search}"`)).toEqual([name])
  })

  test('are sorted by name without regard to the case of É', async () => {
    const sorted = (await namesOf(list, 'orderBy: { field: NAME, direction: ASC }')).filter((name) => /^émile/i.test(name))
    expect(sorted).toEqual(['émile abel', 'Émile Zola'])
  })
})

// Servers of other versions prefer to read all of so few rows.
describe.runIf(inject('testCluster').isEmbedded)('PostgreSQL reads few rows of a long list', () => {
  beforeAll(async () => {
    await pool.query(
      `INSERT INTO users (email, name) SELECT 'other-' || n || '@example.com', 'Андрій ' || n FROM generate_series(1, 3000) n`,
    )
    await pool.query(`INSERT INTO members (team_id, user_id, role) SELECT $1, id, 'member' FROM users WHERE email LIKE 'other-%'`, [
      owned.team.id,
    ])
    await pool.query('VACUUM ANALYZE')
  })

  test.each(['олена', '山田太'])('of members, people and users that a search for %s finds', async (search) => {
    for (const list of lists) {
      service.executions.length = 0
      expect(await namesOf(list, `search: "${search}"`)).toHaveLength(1)
      const read = await Promise.all(service.executions.map(({ text, values }) => rowsRead(pool, text, values)))
      expect(Math.max(...read)).toBeLessThan(100)
    }
  })
})
