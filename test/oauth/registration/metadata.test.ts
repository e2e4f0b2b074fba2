import { beforeAll, describe, expect, test } from 'vitest'
import { createInitialAccess, publicMetadata, registerClient } from '../../support/agents/initial-access.ts'
import { createTeam } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

let valid: string
beforeAll(async () => {
  valid = (await createInitialAccess(database, await createTeam(database))).value
})
const countClients = () => database.prisma.oAuthClient.count({ where: { source: 'registration' } })

describe('metadata that is refused, and changes nothing:', () => {
  const uris = (...redirect_uris: unknown[]) => ({ redirect_uris })
  test.each<[what: string, metadata: object, error: string, description: string]>([
    ['no name', { client_name: undefined }, 'invalid_client_metadata', 'The client_name field is required.'],
    ['a name that is no text', { client_name: 1 }, 'invalid_client_metadata', 'The client_name field must be a string.'],
    ['a name with NUL', { client_name: 'a\0b' }, 'invalid_client_metadata', 'characters that cannot be stored'],
    [
      'the name of the service',
      { client_name: 'Team Account Service' },
      'invalid_client_metadata',
      'The client_name field must not imitate',
    ],
    ['no redirect URI', uris(), 'invalid_redirect_uri', 'The redirect_uris field is required.'],
    [
      'one text as redirect URIs',
      { redirect_uris: 'https://a.example' },
      'invalid_redirect_uri',
      'The redirect_uris field must be an array.',
    ],
    [
      'a redirect URI without https',
      uris('https://a.example/', 'http://a.example/'),
      'invalid_redirect_uri',
      'The redirect_uris.1 field must be https',
    ],
    ['a redirect URI with a fragment', uris('https://a.example/#a'), 'invalid_redirect_uri', 'not have a fragment'],
    ['a script as redirect URI', uris('javascript:alert(1)'), 'invalid_redirect_uri', 'must be'],
    ['a redirect URI that is no text', uris({}), 'invalid_redirect_uri', 'The redirect_uris.0 field must be a string.'],
    ['client_credentials', { grant_types: ['client_credentials'] }, 'invalid_client_metadata', 'grant_types.0 is invalid'],
    ['the implicit grant', { grant_types: ['implicit'] }, 'invalid_client_metadata', 'grant_types.0 is invalid'],
    [
      'refresh_token alone',
      { grant_types: ['refresh_token'], response_types: [], scope: 'openid' },
      'invalid_client_metadata',
      'issues a first token',
    ],
    ['a token in the redirect', { response_types: ['token'] }, 'invalid_client_metadata', 'response_types.0'],
    ['no response type for codes', { response_types: [] }, 'invalid_client_metadata', 'response_types field must be a list with only code'],
    [
      'a secret in the form',
      { token_endpoint_auth_method: 'client_secret_post' },
      'invalid_client_metadata',
      'token_endpoint_auth_method is invalid',
    ],
    ['key authentication without keys', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata', 'needs a key set'],
    [
      'keys of a public client',
      { jwks_uri: 'https://a.example/jwks' },
      'invalid_client_metadata',
      'The jwks_uri field is for confidential clients',
    ],
    [
      'a private key',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'a' }] } },
      'invalid_client_metadata',
      'private or symmetric keys',
    ],
    ['an unknown scope', { scope: 'openid acct:all' }, 'invalid_client_metadata', 'scope'],
    ['a scope of staff', { scope: 'acct:staff:read' }, 'invalid_client_metadata', 'scope'],
    [
      'offline_access without refresh tokens',
      { grant_types: ['authorization_code'] },
      'invalid_client_metadata',
      'without the grant refresh_token',
    ],
    ['a home page without https', { client_uri: 'http://a.example' }, 'invalid_client_metadata', 'The client_uri field must be https.'],
    ['an unknown type of application', { application_type: 'desktop' }, 'invalid_client_metadata', 'application_type is invalid'],
  ])('%s', async (_, changes, error, description) => {
    const before = await countClients()
    const { status, body } = await registerClient(service, valid, { ...publicMetadata, ...changes })
    expect([status, body.error, body.error_description]).toEqual([400, error, expect.stringContaining(description)])
    expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(await countClients()).toBe(before)
  })
})
