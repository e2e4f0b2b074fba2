import { expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { contentOf, inTeam } from '../../support/account-site/team.ts'
import { createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

/** Creates a member with these audit entries, the oldest first. */
async function createMember(entries: readonly { action: string; after?: object }[], invitation: object | null = null) {
  const context = await inTeam(service, 'owner', '/members')
  const { team, owner } = context
  const grace = await createUser(database, { name: 'Grace' })
  await join(database, team, grace, 'member')
  const now = service.clock.now().getTime()
  const common = { actorKind: 'user', actorName: 'Grace', authenticationMethod: 'session', teamId: team.id, requestId: 'x' }
  const rows = entries.map((entry, index) =>
    Object.assign({ subject: grace.id, actorUserId: grace.id, at: new Date(now + index) }, common, entry),
  )
  await prisma.auditEntry.createMany({ data: rows })
  const terms = { teamId: team.id, email: grace.email, role: 'member', status: 'accepted', acceptedById: grace.id } as const
  const secret = {
    tokenHash: new Uint8Array(sha256(grace.id)),
    nonce: Buffer.alloc(32),
    sentAt: new Date(now),
    expiresAt: new Date(now),
    answeredAt: new Date(now),
  }
  if (invitation) await prisma.invitation.create({ data: { ...terms, ...secret, invitedById: owner.id, ...invitation } })
  return { ...context, grace, path: `/teams/${team.slug}/members/${grace.id}` }
}

test.each<[string, Parameters<typeof createMember>]>([
  ['Invitation by Olga', [[{ action: 'joinThroughProvider' }, { action: 'acceptInvitation' }], {}]],
  ['Invitation', [[{ action: 'acceptInvitation' }], { invitedById: null }]],
  ['Directory', [[{ action: 'acceptInvitation' }], { directoryUserId: '00000000-0000-4000-8000-000000000000' }]],
  ['Okta', [[{ action: 'acceptInvitation' }, { action: 'joinThroughProvider', after: { provider: 'Okta' } }], {}]],
  ['Identity provider', [[{ action: 'joinThroughProvider', after: {} }]]],
  ['Directory', [[{ action: 'provisionMember' }]]],
  ['Operator or import', [[{ action: 'addMember' }]]],
  ['Creation of the team', [[{ action: 'createTeam' }]]],
  ['Not recorded', [[{ action: 'updateMember' }]]],
])('the page of a member says how they came: %s', async (text, situation) => {
  const { browser, path } = await createMember(...situation)
  expect(contentOf(await browser.open(path))).toContain(` Joined through ${text} Managed by Owners `)
})

test('the origin of a member is shown only to callers who may change members', async () => {
  const { team, grace, owner } = await createMember([{ action: 'provisionMember' }])
  const query = `{ team(slug: "${team.slug}") { member(id: "${grace.id}") { origin { kind inviterName providerName } } } }`
  const read = async (token: string) => (await graphql(service, token, query)).data.team.member.origin
  const origin = { kind: 'DIRECTORY', inviterName: null, providerName: null }
  expect(await read(await personalToken(database, owner))).toEqual(origin)
  expect(await read(await teamToken(database, team, { scopes: ['acct:team:members:read', 'acct:team:members:write'] }))).toEqual(origin)
  expect(await read(await teamToken(database, team, { scopes: ['acct:team:members:read'] }))).toBeNull()
  expect(await read(await personalToken(database, grace))).toBeNull()
})
