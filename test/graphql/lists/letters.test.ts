import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

// docs/decisions/pagination.md#letters

const names = ['Łukasz Żak', 'Zoë Müller', 'Олена Шевченко', '山田太郎', 'Émile Zola', 'émile abel', 'Eve']
const service = useService()
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
