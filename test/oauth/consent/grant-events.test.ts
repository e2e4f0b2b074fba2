import { expect, test } from 'vitest'
import { createOwnedTeam, join } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { authorize, createClient, createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { settled } from '../../support/data/settled.ts'

const service = useService()
const { database } = service

test('connecting an app, and giving it further scopes, are events of the team, and consenting again is none', async () => {
  const { team, token } = await createOwnedTeam(database)
  const user = await createPerson(database)
  await join(database, team, user, 'member')
  const optionalScopes = ['acct:team:members:read', 'acct:team:read'] as const
  const client = await createClient(database, {
    name: 'Ledger',
    team: 'required',
    requiredScopes: ['openid'],
    optionalScopes: [...optionalScopes],
  })
  const consent = (scopes: readonly string[]) =>
    authorize(service, client, user, {
      changes: { scope: ['openid', ...scopes].join(' '), prompt: 'consent' },
      choices: { Team: team.slug },
    })
  await consent(['acct:team:read'])
  await consent(['acct:team:read'])
  await consent(['acct:team:read', 'acct:team:members:read'])
  await settled(database.pool)
  const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/events`, { token })
  const scopes = ['acct:team:members:read', 'acct:team:read', 'openid']
  const data = {
    grant_id: expect.any(String),
    client_id: client.clientId,
    client_name: 'Ledger',
    user_id: user.id,
    scopes: expect.arrayContaining(scopes),
  }
  const actor = { kind: 'user', id: user.id, name: user.name }
  expect(body.data).toEqual([
    expect.objectContaining({ type: 'grant.created', actor, data }),
    expect.objectContaining({ type: 'grant.changed', actor, data }),
  ])
})
