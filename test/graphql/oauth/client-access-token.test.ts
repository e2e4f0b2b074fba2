import { beforeAll, describe, expect, test } from 'vitest'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service

const execute = (document: string, variables: Record<string, unknown> = {}) => executeAs(service, operator, document, variables)
const clientFields = `clientId name description redirectUris confidential grantTypes requiredScopes optionalScopes team refreshReplaySeconds logoUri
  postLogoutRedirectUris backchannelLogoutUri idTokenSignedResponseAlg disabledAt createdAt updatedAt secrets { createdAt expiresAt }`
const update = 'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { clientId } } }'
const onClient = (name: string) => `mutation ($id: ID!) { ${name}(input: { clientId: $id }) { client { ${clientFields} } } }`

describe('the access token of a client', () => {
  let grant: Awaited<ReturnType<typeof createGrant>>
  let token: string
  let id: string
  beforeAll(async () => {
    const { team, owner } = await createOwnedTeam(database)
    grant = await createGrant(database, owner, { team })
    token = await accessToken(database, grant, { expiresAt: new Date('2099-01-01') })
    id = grant.client.clientId
  })
  const requestViewer = () =>
    request(service, 'GET', '/api/v1/user', { token }).then(({ status, body }) => [status, body.scopes ?? body.code])

  test('loses a scope that the client is no longer registered for and regains it when it is registered again', async () => {
    const { requiredScopes, optionalScopes } = grant.client
    expect(await requestViewer()).toEqual([200, expect.arrayContaining(['teams', 'acct:team:read'])])
    await execute(update, { input: { clientId: id, optionalScopes: ['offline_access', 'teams'] } })
    expect(await requestViewer()).toEqual([200, expect.not.arrayContaining(['acct:team:read'])])
    await execute(update, { input: { clientId: id, requiredScopes, optionalScopes } })
    expect(await requestViewer()).toEqual([200, expect.arrayContaining(['teams', 'acct:team:read'])])
  })

  test('is invalid while the client is disabled and after the client is deleted together with its grants', async () => {
    const disabled = (await execute(onClient('disableClient'), { id })).data.disableClient.client
    expect([disabled.disabledAt, await requestViewer()]).toEqual([expect.any(String), [401, 'unauthenticated']])
    clock.advance(1000)
    expect((await execute(onClient('disableClient'), { id })).data.disableClient.client.disabledAt).toBe(disabled.disabledAt)
    const enabled = (await execute(onClient('enableClient'), { id })).data.enableClient.client
    expect([enabled.disabledAt, (await requestViewer())[0]]).toEqual([null, 200])
    expect((await execute(onClient('deleteClient'), { id })).data.deleteClient.client).toEqual(enabled)
    expect([await requestViewer(), await database.prisma.oAuthGrant.count({ where: { id: grant.id } })]).toEqual([
      [401, 'unauthenticated'],
      0,
    ])
    expect(await database.prisma.oidcModel.count({ where: { chain: { grantId: grant.id } } })).toBe(0)
  })
})
