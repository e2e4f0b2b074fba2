import { beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../../schema/core/scopes.ts'
import { createOwnedTeam, createUser, join, personalToken, unique } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

// A scope that changes something in a team does not show the team: its payload leads there only by the slug.

const service = useService()
const { database } = service
let owned: OwnedTeam
let memberId: string
beforeAll(async () => {
  owned = await createOwnedTeam(database, { timezone: 'Europe/Vienna' })
  const member = await createUser(database)
  await join(database, owned.team, member, 'member')
  memberId = member.id
})

const mutations: Record<string, () => string> = {
  updateMember: () =>
    `updateMember(input: { team: "${owned.team.slug}", userId: "${memberId}", role: BILLING }) { changed: member { team { FIELDS } } }`,
  inviteMember: () =>
    `inviteMember(input: { team: "${owned.team.slug}", email: "${unique('a')}@b.example", role: MEMBER }) { changed: invitation { team { FIELDS } } }`,
  updateTeam: () => `changed: updateTeam(input: { team: "${owned.team.slug}", name: "Renamed" }) { team { FIELDS } }`,
}

async function read(mutation: string, scope: Scope, field: string) {
  const token = await personalToken(database, owned.owner, { scopes: [scope] })
  const { data, errors } = await graphql(service, token, `mutation { ${mutations[mutation]?.().replace('FIELDS', field)} }`)
  const { team } = data.changed ?? data[mutation].changed
  return [team[field] ?? null, errors.map(({ extensions }: { extensions?: { code?: string } }) => extensions?.code)]
}

test.each([
  ['updateMember', 'acct:team:members:write'],
  ['inviteMember', 'acct:team:invitations:write'],
] as const)('the payload of %s shows a token with %s only the slug of the team', async (mutation, scope) => {
  expect(await read(mutation, scope, 'slug')).toEqual([owned.team.slug, []])
  for (const field of ['name', 'timezone', 'gravatarEmail', 'avatarUrl', 'createdAt'])
    expect(await read(mutation, scope, field), field).toEqual([null, ['insufficient_scope']])
})

test('the payload of updateTeam shows what a token with acct:team:write may change', async () => {
  expect(await read('updateTeam', 'acct:team:write', 'timezone')).toEqual(['Europe/Vienna', []])
})
