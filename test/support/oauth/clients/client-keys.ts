import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import type { JWTHeaderParameters } from 'jose'
import type { TestService } from '../../service/service.ts'
import { post } from '../oauth.ts'
import type { TestClient } from '../oauth.ts'

// Clients that authenticate with a key (RFC 7523 §2.2).

export interface ClientKey {
  alg: string
  kid: string
  privateKey: KeyObject
  /** The public key, as it is registered. */
  jwk: object & { kid: string }
}

const generators: Record<string, () => { privateKey: KeyObject; publicKey: KeyObject }> = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}

export function createClientKey(alg = 'ES256', kid: string = randomUUID()): ClientKey {
  const pair = generators[alg]?.()
  if (!pair) throw new Error(`no keys for ${alg}`)
  return { alg, kid, privateKey: pair.privateKey, jwk: { ...pair.publicKey.export({ format: 'jwk' }), kid } }
}

export const keySetOf = (...keys: ClientKey[]) => ({ keys: keys.map(({ jwk }) => jwk) })

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The claims of a valid assertion. `changes` override members; undefined removes one. */
export function assertionClaims(service: Pick<TestService, 'url'>, client: Pick<TestClient, 'clientId'>, changes: object = {}) {
  const now = Math.floor(Date.now() / 1000)
  const { clientId } = client
  return { iss: clientId, sub: clientId, aud: service.url, jti: randomUUID(), iat: now, exp: now + 60, ...changes }
}

/** Signs an assertion. */
export const createAssertion = (
  service: Pick<TestService, 'url'>,
  client: Pick<TestClient, 'clientId'>,
  key: ClientKey,
  changes: object = {},
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> =>
  new SignJWT(assertionClaims(service, client, changes)).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey)

/** Sends a form with an assertion instead of a secret. */
export const postWithAssertion = (
  service: Pick<TestService, 'url'>,
  path: string,
  assertion: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  post(
    service,
    path,
    { clientId: '', secret: '' },
    { client_assertion_type: assertionType, client_assertion: assertion, ...fields },
    headers,
  )

/** A host of key sets. Its answer can be replaced; `requests` counts what it has received. */
export async function serveKeys(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const host = { requests: 0, answer, url: '' }
  const server = createServer((request, response) => {
    host.requests++
    host.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  host.url = `http://127.0.0.1:${port}/keys.json`
  return Object.assign(host, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/** Answers with this document. */
export const sendJson =
  (document: unknown, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document))
