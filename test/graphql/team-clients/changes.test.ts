import { describe, expect, test } from 'vitest'
import type { ClientState } from '../../../prisma/generated/client/enums.ts'
import { createTeamClient, executeWith } from '../../support/oauth/clients/team-client.ts'
import { createOwnedTeam, unique } from '../../support/data/team.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

const members = 'name logoUri publisher redirectUris postLogoutRedirectUris requiredScopes optionalScopes description grantTypes team'
const update = `mutation ($input: UpdateTeamClientInput!) { updateTeamClient(input: $input) {
  client { state ${members} proposedChanges { member live proposed } } } }`
const submit = 'mutation ($id: ID!) { submitTeamClient(input: { clientId: $id }) { client { state rejectionReason } } }'

const presentName = unique('Roadmap')
const listed = {
  name: presentName,
  state: 'listed',
  redirectUris: ['https://app.example/callback', 'http://127.0.0.1:4000/cb'],
  requiredScopes: ['openid'],
  optionalScopes: ['profile', 'email'],
  publisher: 'Acme',
} as const

const waits = (member: string, live: string[], proposed: string[]) => ({ member, live, proposed })

describe('a change of a listed client', () => {
  test.each([
    ['the name', { name: 'Fresh' }, [waits('name', [presentName], ['Fresh'])]],
    ['the logo', { logoUri: 'https://app.example/l.png' }, [waits('logoUri', [], ['https://app.example/l.png'])]],
    ['the publisher', { publisher: 'Other' }, [waits('publisher', ['Acme'], ['Other'])]],
    ['no publisher', { publisher: null }, [waits('publisher', ['Acme'], [])]],
    [
      'a redirect URI on another host',
      { redirectUris: ['https://app.example/callback', 'https://evil.example/cb'] },
      [waits('redirectUris', [...listed.redirectUris], ['https://app.example/callback', 'https://evil.example/cb'])],
    ],
    [
      'a redirect URI on a subdomain',
      { redirectUris: ['https://www.app.example/callback'] },
      [waits('redirectUris', [...listed.redirectUris], ['https://www.app.example/callback'])],
    ],
    [
      'a redirect URI on another port',
      { redirectUris: ['https://app.example:8443/callback'] },
      [waits('redirectUris', [...listed.redirectUris], ['https://app.example:8443/callback'])],
    ],
    [
      'a redirect URI after sign-out on another host',
      { postLogoutRedirectUris: ['https://evil.example/'] },
      [waits('postLogoutRedirectUris', [], ['https://evil.example/'])],
    ],
    ['a further required scope', { requiredScopes: ['openid', 'teams'] }, [waits('requiredScopes', ['openid'], ['openid', 'teams'])]],
    [
      'a further optional scope',
      { optionalScopes: ['profile', 'acct:team:read'] },
      [waits('optionalScopes', ['profile', 'email'], ['profile', 'acct:team:read'])],
    ],
    [
      'a scope that can no longer be declined',
      { requiredScopes: ['openid', 'email'], optionalScopes: ['profile'] },
      [waits('requiredScopes', ['openid'], ['openid', 'email']), waits('optionalScopes', ['profile', 'email'], ['profile'])],
    ],
  ])('to %s waits for a review, and the old value stays in force', async (_, input, proposedChanges) => {
    const { client, session } = await createTeamClient(service, {
      ...listed,
      redirectUris: [...listed.redirectUris],
      requiredScopes: ['openid'],
      optionalScopes: ['profile', 'email'],
    })
    const { data } = await executeWith(service, session, update, { input: { clientId: client.clientId, ...input } })
    expect(data.updateTeamClient.client.state).toBe('LISTED')
    expect(data.updateTeamClient.client.proposedChanges).toEqual(proposedChanges)
    for (const { member } of proposedChanges) expect(data.updateTeamClient.client).toHaveProperty(member, Reflect.get(client, member))
  })

  test.each([
    ['the description', { description: 'Plans' }],
    ['a redirect URI on the same host', { redirectUris: ['https://app.example/other'] }],
    ['a redirect URI on another port of the user’s device', { redirectUris: ['http://127.0.0.1:5000/cb'] }],
    ['a redirect URI after sign-out on the same host', { postLogoutRedirectUris: ['https://app.example/bye'] }],
    ['fewer redirect URIs', { redirectUris: ['https://app.example/callback'] }],
    ['fewer scopes', { optionalScopes: [] }],
    ['a scope that can now be declined', { requiredScopes: ['openid'], optionalScopes: ['email'] }],
    ['the grant types', { grantTypes: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] }],
  ])('to %s applies at once', async (_, input) => {
    const { client, session } = await createTeamClient(service, {
      ...listed,
      redirectUris: [...listed.redirectUris],
      requiredScopes: ['openid'],
      optionalScopes: ['profile', 'email'],
    })
    const { data } = await executeWith(service, session, update, { input: { clientId: client.clientId, ...input } })
    expect(data.updateTeamClient.client).toMatchObject({ ...input, proposedChanges: [] })
  })

  test('waits as a whole if what applies at once is no valid registration', async () => {
    const device = ['urn:ietf:params:oauth:grant-type:device_code']
    const { client, session } = await createTeamClient(service, {
      state: 'listed',
      redirectUris: [],
      grantTypes: device,
      optionalScopes: [],
    })
    await database.prisma.oAuthClient.update({ where: { id: client.id }, data: { redirectUris: [] } })
    const input = { clientId: client.clientId, grantTypes: ['authorization_code'], redirectUris: ['https://app.example/cb'] }
    const { data } = await executeWith(service, session, update, { input })
    expect(data.updateTeamClient.client).toMatchObject({
      grantTypes: device,
      redirectUris: [],
      proposedChanges: [waits('redirectUris', [], ['https://app.example/cb']), waits('grantTypes', device, ['authorization_code'])],
    })
  })

  test('keeps what already waits, and the previous value withdraws it', async () => {
    const { client, session } = await createTeamClient(service, { state: 'listed' })
    const change = async (input: object) => {
      const { data } = await executeWith(service, session, update, { input: { clientId: client.clientId, ...input } })
      return data.updateTeamClient.client.proposedChanges.map(({ member }: { member: string }) => member)
    }
    expect(await change({ name: unique('New') })).toEqual(['name'])
    expect(await change({ description: 'x', publisher: 'P' })).toEqual(['name', 'publisher'])
    expect(await change({ name: client.name })).toEqual(['publisher'])
  })

  test('applies at once where registration is open', async () => {
    const { client, session } = await createTeamClient(service, { state: 'listed' })
    const input = { clientId: client.clientId, name: unique('New') }
    const { data } = await executeWith(service, session, update, { input }, { clientRegistration: 'open' })
    expect(data.updateTeamClient.client).toMatchObject({ name: input.name, proposedChanges: [] })
  })

  test('is refused if the registration with it would be invalid, and changes nothing', async () => {
    const { client, session } = await createTeamClient(service, { state: 'listed' })
    const input = { clientId: client.clientId, redirectUris: ['http://app.example/cb'], description: 'x' }
    const { code, messages } = await executeWith(service, session, update, { input })
    expect([code, Object.keys(Object(messages))]).toEqual(['validation_failed', ['redirectUris.0']])
    expect(await database.prisma.oAuthClient.findUnique({ where: { id: client.id } })).toMatchObject({
      description: null,
      proposedChanges: null,
    })
  })
})

test.each(['draft', 'submitted', 'rejected'] as const)('a change of a client that is %s applies at once', async (state) => {
  const { client, session } = await createTeamClient(service, { state })
  const input = { clientId: client.clientId, name: unique('New'), redirectUris: ['https://other.example/cb'] }
  const { data } = await executeWith(service, session, update, { input })
  expect(data.updateTeamClient.client).toMatchObject({
    name: input.name,
    redirectUris: input.redirectUris,
    proposedChanges: [],
    state: state.toUpperCase(),
  })
})

describe('submitting', () => {
  test.each([
    ['draft', 'reviewed', 'SUBMITTED'],
    ['rejected', 'reviewed', 'SUBMITTED'],
    ['submitted', 'reviewed', 'SUBMITTED'],
    ['draft', 'open', 'LISTED'],
    ['rejected', 'open', 'SUBMITTED'],
    ['submitted', 'open', 'SUBMITTED'],
  ] as const)('a client that is %s, where registration is %s, makes it %s', async (state: ClientState, clientRegistration, next) => {
    const { client, session } = await createTeamClient(service, { state, rejectionReason: 'No' })
    const { data } = await executeWith(service, session, submit, { id: client.clientId }, { clientRegistration })
    expect(data.submitTeamClient.client).toEqual({ state: next, rejectionReason: state === 'submitted' ? 'No' : null })
  })

  test('a listed client is refused', async () => {
    const { client, session } = await createTeamClient(service, { state: 'listed' })
    expect((await executeWith(service, session, submit, { id: client.clientId })).code).toBe('validation_failed')
  })
})

describe('a mutation of a client of a team', () => {
  const documents = {
    updateTeamClient: 'mutation ($id: ID!) { updateTeamClient(input: { clientId: $id, name: "Evil" }) { client { name } } }',
    submitTeamClient: submit,
    rotateTeamClientSecret: 'mutation ($id: ID!) { rotateTeamClientSecret(input: { clientId: $id }) { clientSecret } }',
    deleteTeamClient: 'mutation ($id: ID!) { deleteTeamClient(input: { clientId: $id }) { client { name } } }',
  }
  test.each(Object.entries(documents))(
    '%s is refused to the owner of another team and for a client of the operator',
    async (_, document) => {
      const { client } = await createTeamClient(service)
      const other = await createOwnedTeam(database)
      const session = await sessionOf(service, other.owner)
      const ofOperator = await createClient(database)
      for (const { clientId } of [client, ofOperator])
        expect((await executeWith(service, session, document, { id: clientId })).code).toBe('not_found')
      expect((await executeWith(service, operator, document, { id: ofOperator.clientId })).code).toBe('not_found')
    },
  )
})
