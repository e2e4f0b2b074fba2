import { expect, test } from 'vitest'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

const update =
  'mutation ($id: ID!, $name: String!) { updateToken(input: { id: $id, name: $name }) { token { ... on TeamToken { id: tokenId name } ... on PersonalToken { id: tokenId name } } } }'

/** A team with a token, a personal token of its owner, and a member. */
async function createTokens() {
  const { team, owner } = await createOwnedTeam(database)
  const member = await createUser(database)
  await join(database, team, member, 'member')
  await teamToken(database, team)
  await personalToken(database, member)
  const [ofTeam, ofMember] = await Promise.all([
    prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } }),
    prisma.accessToken.findFirstOrThrow({ where: { userId: member.id } }),
  ])
  return { team, owner: await sessionOf(service, owner), member: await sessionOf(service, member), ofTeam, ofMember }
}

test('the owner of a token can change its name, and nothing else', async () => {
  const { owner, member, ofTeam, ofMember } = await createTokens()
  for (const [principal, token] of [
    [owner, ofTeam],
    [member, ofMember],
  ] as const) {
    const { data } = await executeAs(service, principal, update, { id: token.id, name: '  Deployment ' })
    expect(data.updateToken.token).toEqual({ id: token.id, name: 'Deployment' })
    expect(await prisma.accessToken.findUnique({ where: { id: token.id } })).toEqual({ ...token, name: 'Deployment' })
  }
})

test('the name of a token cannot be changed by others, to an empty name, or after the token was revoked', async () => {
  const { owner, member, ofTeam, ofMember } = await createTokens()
  const refusalOf = async (principal: typeof owner, id: string, name = 'x') =>
    (await executeAs(service, principal, update, { id, name })).refusal
  expect((await refusalOf(member, ofTeam.id))?.code).toBe('role_required')
  expect((await refusalOf(owner, ofMember.id))?.code).toBe('not_found')
  expect((await refusalOf({ ...owner, authenticationMethod: 'personal_token' }, ofTeam.id))?.code).toBe('session_required')
  expect((await refusalOf(owner, ofTeam.id, ' '))?.details.errors).toEqual({ name: ['The name field is required.'] })
  await prisma.accessToken.update({ where: { id: ofTeam.id }, data: { revokedAt: service.clock.now() } })
  expect((await refusalOf(owner, ofTeam.id))?.code).toBe('not_found')
  expect((await prisma.accessToken.findUnique({ where: { id: ofTeam.id } }))?.name).toBe('test')
})
