import { beforeAll, describe, expect, test } from 'vitest'
import { brokenUrlRule } from '../../../schema/core/outgoing/url-rules.ts'
import { parseClientDocument } from '../../../schema/oauth/metadata-clients/client-document.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam } from '../../support/data/team.ts'
import { clientHost, createMetadataClient, sendDocument } from '../../support/oauth/clients/metadata-client.ts'
import { authorizationUrl } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
beforeAll(() => createTeam(database, { agentHosts: [clientHost] }))

const request = (client: { clientId: string; redirectUri: string }) =>
  new Browser(service.url).open(authorizationUrl(service, client, { scope: 'openid' }).url)
const findStored = ({ clientId }: { clientId: string }) => database.prisma.oAuthClient.findUnique({ where: { clientId } })

describe('a document is accepted', () => {
  test.each<[what: string, changes: object, stored: object]>([
    ['with the content type of its own format', {}, { name: clientHost, description: 'Code Agent' }],
    ['without a name', { client_name: undefined }, { name: clientHost, description: null }],
    ['with the name of this service', { client_name: 'Team accounts' }, { name: clientHost, description: null }],
    ['with a name in mixed scripts', { client_name: 'Cоde Agent' }, { name: clientHost }],
    ['with an invisible character in its name', { client_name: 'Code\u200bAgent' }, { name: clientHost }],
    ['with a name that is no text', { client_name: { en: 'Agent' } }, { name: clientHost }],
    ['without grant types', { grant_types: undefined }, { grantTypes: ['authorization_code'] }],
    [
      'with grants of others',
      { grant_types: ['authorization_code', 'client_credentials', 'implicit'] },
      { grantTypes: ['authorization_code'] },
    ],
    [
      'with scopes of others',
      { scope: 'openid teams acct:team:write mcp:x' },
      { requiredScopes: ['openid'], optionalScopes: ['teams', 'acct:team:write'] },
    ],
    [
      'with redirect URIs of others',
      { redirect_uris: ['http://[::1]/cb', 'https://other.example/cb', 'cursor://x/cb'] },
      { redirectUris: ['http://[::1]/cb'] },
    ],
    [
      'with a logo and logout requests',
      { logo_uri: 'https://localhost/logo.png', backchannel_logout_uri: 'https://localhost/out' },
      { logoUri: null, backchannelLogoutUri: null },
    ],
    [
      'that claims to be verified',
      { verified: true, publisher: 'Example', team: 'none', confidential: true },
      { verified: false, publisher: null, team: 'required', confidential: false },
    ],
  ])('%s', async (_, changes, stored) => {
    const client = await createMetadataClient(changes)
    client.answer = sendDocument({ ...client.document }, { 'content-type': 'application/vnd.oauth+json; charset=utf-8' })
    const [redirectUri = ''] = client.document.redirect_uris
    expect((await request({ ...client, redirectUri })).url.pathname).toBe('/sign-in')
    expect(await findStored(client)).toMatchObject(stored)
  })

  test('of a host with redirect URIs and pages on the same host', () => {
    const clientId = 'https://app.example.com/client.json'
    const own = (path: string) => `https://app.example.com${path}`
    const document = {
      client_id: clientId,
      redirect_uris: [own('/cb'), own(':8443/cb'), 'https://app.example.com.evil.example/cb', 'https://app.example.com@evil.example/cb'],
      client_uri: own('/'),
      policy_uri: 'https://evil.example/',
      tos_uri: 'javascript:alert(1)',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: own('/keys.json'),
    }
    const outgoing = { brokenRule: (url: string) => brokenUrlRule(url, new Set()) }
    expect(parseClientDocument(clientId, document, { outgoing, brandName: 'Nimbus' })).toMatchObject({
      redirectUris: [own('/cb'), own(':8443/cb')],
      clientUri: own('/'),
      policyUri: null,
      tosUri: null,
      confidential: true,
      requireKeyAuthentication: true,
      jwksUri: own('/keys.json'),
    })
  })
})
