import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createClientKey, keySetOf } from '../../support/oauth/clients/client-keys.ts'
import { clientHost, createMetadataClient, sendDocument } from '../../support/oauth/clients/metadata-client.ts'
import { authorizationUrl, createPerson, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Which URLs and documents of clients are accepted: docs/decisions/agents.md#clients-by-url.

const service = useService()
const { database } = service
const { prisma } = database
let member: User
beforeAll(async () => {
  member = await createPerson(database)
  await join(database, await createTeam(database, { agentHosts: [clientHost] }), member, 'member')
})

type MetadataClient = Awaited<ReturnType<typeof createMetadataClient>>
const request = (client: Pick<MetadataClient, 'clientId' | 'redirectUri'>) =>
  new Browser(service.url).open(authorizationUrl(service, client, { scope: 'openid' }).url)
const findStored = ({ clientId }: Pick<MetadataClient, 'clientId'>) => prisma.oAuthClient.findUnique({ where: { clientId } })

describe('a document is refused', () => {
  const key = createClientKey()
  const withKey = { token_endpoint_auth_method: 'private_key_jwt', jwks: keySetOf(key) }
  const [{ kid, ...jwk }] = keySetOf(key).keys as [{ kid: string }]
  test.each<[what: string, changes: object, reason: string]>([
    ['with another client_id', { client_id: 'https://other.example/client.json' }, 'must have its own URL as client_id'],
    ['without a client_id', { client_id: undefined }, 'must have its own URL as client_id'],
    ['with a client_id that is not text', { client_id: 1 }, 'must have its own URL as client_id'],
    ['with a secret', { client_secret: 'x' }, 'must not have a client secret'],
    ['with the expiry of a secret', { client_secret_expires_at: 0 }, 'must not have a client secret'],
    [
      'for a secret',
      { token_endpoint_auth_method: 'client_secret_basic' },
      'has a value of token_endpoint_auth_method that is not supported',
    ],
    ['for a secret in the form', { token_endpoint_auth_method: 'client_secret_post' }, 'token_endpoint_auth_method'],
    ['for a certificate', { token_endpoint_auth_method: 'tls_client_auth' }, 'token_endpoint_auth_method'],
    ['without redirect URIs', { redirect_uris: [] }, 'is refused: The redirect_uris field is required'],
    [
      'with redirect URIs on other hosts alone',
      { redirect_uris: ['https://other.example/cb'] },
      'is refused: The redirect_uris field is required',
    ],
    ['with a redirect URI that is not text', { redirect_uris: [1] }, 'has a value of redirect_uris that is not supported'],
    ['with 101 redirect URIs', { redirect_uris: Array(101).fill('http://127.0.0.1/') }, 'has a value of redirect_uris'],
    ['for client credentials alone', { grant_types: ['client_credentials'] }, 'is refused: The grant_types field must have a grant'],
    ['with grants that are no list', { grant_types: 'authorization_code' }, 'has a value of grant_types that is not supported'],
    ['without a scope that exists', { scope: 'mcp:everything' }, 'is refused: The scope field'],
    ['with a key, but without keys', { token_endpoint_auth_method: 'private_key_jwt' }, 'is refused: The token_endpoint_auth_method field'],
    ['with keys and their URL', { ...withKey, jwks_uri: 'http://localhost:9/keys' }, 'is refused: The jwks_uri field'],
    [
      'with keys on another host',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://other.example/keys' },
      'jwks_uri on its own host',
    ],
    ['with a private key', { ...withKey, jwks: { keys: [{ ...jwk, kid, d: 'x' }] } }, 'is refused: The jwks field must not have private'],
    [
      'with a symmetric key',
      { ...withKey, jwks: { keys: [{ kty: 'oct', k: 'x', kid }] } },
      'is refused: The jwks field must not have private',
    ],
    ['without a key in the list', { ...withKey, jwks: { keys: [] } }, 'is refused: The jwks field must have 1 to 4 keys'],
    ['of a confidential client with a private-use scheme', { ...withKey, redirect_uris: ['com.example.app:/cb'] }, 'private-use scheme'],
    ['with a signature that is not supported', { id_token_signed_response_alg: 'none' }, 'has a value of id_token_signed_response_alg'],
  ])('%s', async (_, changes, reason) => {
    const client = await createMetadataClient(changes)
    const page = await request(client)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
    expect(page.text).toContain('invalid_client: the document at the client_id ')
    expect(page.text).toContain(reason)
    expect(await findStored(client)).toBeNull()
  })

  test.each<[what: string, answer: (client: MetadataClient) => MetadataClient['answer'], reason: string]>([
    ['that is not JSON', () => sendDocument('<html>'), 'could not be fetched, or is not JSON'],
    ['that is a list', () => sendDocument([]), 'must be a JSON object'],
    ['that is null', () => sendDocument('null'), 'must be a JSON object'],
    [
      'with another content type',
      ({ document }) => sendDocument(document, { 'content-type': 'text/html' }),
      'could not be fetched, or is not JSON',
    ],
    ['of more than 5 kB', ({ document }) => sendDocument({ ...document, x: 'x'.repeat(5 * 1024) }), 'must have at most 5 kB'],
    ['that is not there', () => (_, response) => void response.writeHead(404).end(), 'could not be fetched'],
    [
      'that is somewhere else',
      ({ clientId }) =>
        (_, response) =>
          void response.writeHead(302, { location: `${clientId}?x` }).end(),
      'could not be fetched',
    ],
    ['that breaks off', () => (_, response) => void response.destroy(), 'could not be fetched'],
  ])('%s', async (_, answer, reason) => {
    const client = await createMetadataClient()
    client.answer = answer(client)
    const page = await request(client)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(`the document at the client_id ${reason}`)])
    expect([await findStored(client), service.logged]).toEqual([null, []])
  })
})

test('the consent page shows the host first, and the name second', async () => {
  const client = await createMetadataClient({ client_uri: 'https://localhost/about' })
  const browser = new Browser(service.url)
  const page = await signIn(browser, await browser.open(authorizationUrl(service, client, { scope: 'teams acct:team:write' }).url), member)
  expect(page.root.querySelector('h1')?.text).toContain(`Allow ${clientHost} to access your account?`)
  expect(page.text).toContain('The app calls itself Code Agent.')
  expect(page.text).toContain(`This app is described by a document on ${clientHost}. We have not verified who publishes this app.`)
  expect(page.text).not.toContain('Unknown publisher')
  const boxes = page.root.querySelectorAll('input[type=checkbox]').map((box) => [box.getAttribute('value'), box.hasAttribute('checked')])
  expect(boxes).toEqual([
    ['teams', true],
    ['acct:team:write', false],
  ])
})

test('any document gets a response that is no fault', async () => {
  const client = await createMetadataClient()
  const member = fc.constantFrom(
    'client_id',
    'redirect_uris',
    'jwks',
    'grant_types',
    'scope',
    'client_name',
    'token_endpoint_auth_method',
    'jwks_uri',
    'tos_uri',
  )
  await fc.assert(
    fc.asyncProperty(fc.dictionary(member, fc.jsonValue()), async (changes) => {
      client.change(changes)
      const page = await request(client)
      expect([page.status < 500, service.logged]).toEqual([true, []])
      await prisma.oAuthClient.deleteMany({ where: { clientId: client.clientId } })
    }),
    { numRuns: 60 },
  )
})
