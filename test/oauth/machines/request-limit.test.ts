import { describe, expect, test } from 'vitest'
import { createTeam } from '../../support/data/team.ts'
import { clientToken, createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { useService } from '../../support/service/service.ts'

// Tokens of machines are stored until they expire, so that requests for them count like those of the API: docs/decisions/machines.md.

const quota = 5
const service = useService({ rateLimitApi: quota })
const { database } = service

describe.each([
  ['directly', {}],
  ['by oidc-provider', { resource: `${service.url}/api` }],
])('requests for tokens that are answered %s', (_, fields: Record<string, string>) => {
  test('are limited for each client, and tell when to try again', async () => {
    const team = await createTeam(database)
    const client = await createTeamClient(database, team)
    const request = () => requestMachineToken(service, client, 'resource' in fields ? { resource: `${service.url}/api` } : {})
    const first = []
    for (let index = 0; index < quota; index++) first.push((await request()).status)
    expect(first).toEqual(Array.from({ length: quota }, () => 200))
    const count = () => database.prisma.oidcModel.count({ where: { kind: 'ClientCredentials' } })
    const before = await count()
    const refused = await request()
    expect([refused.status, refused.body.error, Number(refused.headers.get('retry-after')) > 0]).toEqual([
      429,
      'temporarily_unavailable',
      true,
    ])
    expect(await count()).toBe(before)
    expect((await requestMachineToken(service, await createTeamClient(database, team))).status).toBe(200)
  })
})

test('requests for tokens and requests with a token count together', async () => {
  const value = await clientToken(database, await createTeam(database))
  const call = () => fetch(new URL('/api/v1/user', service.url), { headers: { authorization: `Bearer ${value}` } })
  for (let index = 0; index < quota; index++) expect((await call()).status).toBe(200)
  expect((await call()).status).toBe(429)
})
