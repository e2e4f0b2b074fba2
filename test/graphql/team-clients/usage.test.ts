import { expect, test } from 'vitest'
import { createUser, join } from '../../support/data/team.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { createTeamClient, executeWith } from '../../support/oauth/clients/team-client.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

test('a client shows its live grants, and names only members of its team', async () => {
  const { team, owner, session, client } = await createTeamClient(service, { state: 'listed' })
  const [member, stranger, former] = [await createUser(database, { name: 'Grace' }), await createUser(database), await createUser(database)]
  await join(database, team, member, 'billing')
  const at = (hour: number) => new Date(Date.UTC(2026, 1, 1, hour))
  const grant = (userId: string, more: object = {}) =>
    database.prisma.oAuthGrant.create({
      data: {
        oauthClientId: client.id,
        userId,
        scopes: ['openid'],
        createdAt: at(0),
        expiresAt: new Date(Date.now() + 86_400_000),
        ...more,
      },
    })
  await grant(member.id, { lastUsedAt: at(1) })
  await grant(stranger.id, { lastUsedAt: at(2) })
  await grant(former.id, { revokedAt: at(3) })
  const grants = 'grants { total nodes { scopes lastUsedAt member { name } } }'
  const document = `{ team(slug: "${team.slug}") { client(id: "${client.clientId}") { ${grants} } } }`
  const { data } = await executeWith(service, session, document)
  const seen = JSON.parse(JSON.stringify(data.team.client.grants))
  expect(seen.total).toBe(2)
  expect(seen.nodes.map(({ member: of }: { member: object }) => of)).toEqual([null, { name: 'Grace' }])
  expect(seen.nodes[0].scopes).toEqual(['openid'])
  expect(new Date(seen.nodes[0].lastUsedAt)).toEqual(at(2))
  expect(owner.id).not.toBe(stranger.id)
})

test('a client shows its refused requests of seven days, with a sentence for each cause', async () => {
  const { team, session, client } = await createTeamClient(service)
  const now = service.clock.now().getTime()
  const rows = [
    { cause: 'redirect_uri', sent: 'https://app.example/cb', daysAgo: 0, count: 2 },
    { cause: 'redirect_uri', sent: 'https://app.example/cb', daysAgo: 1, count: 3 },
    { cause: 'response_type', sent: 'token', daysAgo: 2, count: 1 },
    { cause: 'scope', sent: 'x', daysAgo: 8, count: 1 },
  ]
  for (const { daysAgo, ...row } of rows) {
    const lastAt = new Date(now - daysAgo * 86_400_000)
    await database.prisma.authorizationFailure.create({ data: { oauthClientId: client.id, day: lastAt, lastAt, ...row } })
  }
  const document = `{ team(slug: "${team.slug}") { client(id: "${client.clientId}") { failures { cause count sent message } } } }`
  const { data } = await executeWith(service, session, document)
  expect(data.team.client.failures).toEqual([
    {
      cause: 'REDIRECT_URI',
      count: 5,
      sent: 'https://app.example/cb',
      message: 'redirect_uri was https://app.example/cb, registered is https://app.example/callback',
    },
    { cause: 'RESPONSE_TYPE', count: 1, sent: 'token', message: 'response_type was token, it must be code' },
  ])
})

test('the refused requests of one client leave room for those of the other clients in a list', async () => {
  const { team, session, client } = await createTeamClient(service)
  const other = await createClient(database, { ownerTeamId: team.id, state: 'draft' })
  const failure = (oauthClientId: string, sent: string, lastAt: Date) => ({
    oauthClientId,
    cause: 'scope',
    sent,
    count: 1,
    day: lastAt,
    lastAt,
  })
  const now = Date.now()
  await database.prisma.authorizationFailure.createMany({
    data: [
      ...Array.from({ length: 300 }, (_, index) => failure(client.id, `scope-${index}`, new Date(now))),
      failure(other.id, 'scope', new Date(now - 60_000)),
    ],
  })
  const { data } = await executeWith(
    service,
    session,
    `{ team(slug: "${team.slug}") { clients { nodes { clientId failures { sent } } } } }`,
  )
  const counts = data.team.clients.nodes.map(({ clientId, failures }: any) => [clientId, failures.length])
  expect(Object.fromEntries(counts)).toEqual({ [client.clientId]: 100, [other.clientId]: 1 })
})
