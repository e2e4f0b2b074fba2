import { beforeAll } from 'vitest'
import { createTeam } from '../../data/team.ts'
import type { TestService } from '../../service/service.ts'
import { assertionClaims, createAssertion, createClientKey, keySetOf, postWithAssertion } from './client-keys.ts'
import type { ClientKey } from './client-keys.ts'
import { createTeamClient } from './machines.ts'
import type { TestClient } from '../oauth.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Builds a JWT whose signature is made by a function of the signed text. */
export const assemble = (header: object, payload: unknown, sign: (text: string) => string) => {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${sign(text)}`
}

export const grant = { grant_type: 'client_credentials' }
export const tokenPath = '/api/oauth/token'

/** A client with two registered keys that a file attacks, and functions that send assertions for it. */
export function useAttackedClient(service: TestService) {
  const key = createClientKey('ES256', 'current')
  const rsa = createClientKey('RS256', 'rsa')
  const otherKey = createClientKey('ES256', 'other')
  const clients: { attacked?: TestClient; other?: TestClient } = {}
  beforeAll(async () => {
    const team = await createTeam(service.database)
    clients.attacked = await createTeamClient(service.database, team, { jwks: keySetOf(key, rsa) })
    clients.other = await createTeamClient(service.database, team, { jwks: keySetOf(otherKey) })
  })
  const existing = (name: 'attacked' | 'other') => {
    const client = clients[name]
    if (!client) throw new Error('the clients are created before the first test')
    return client
  }
  const claims = (changes: object = {}) => assertionClaims(service, existing('attacked'), changes)
  const signed = (changes: object = {}, header: object = {}, by: ClientKey = key) =>
    createAssertion(service, existing('attacked'), by, changes, header)
  const send = (assertion: string, fields: Record<string, string> = {}, path = tokenPath) =>
    postWithAssertion(service, path, assertion, { ...grant, ...fields })
  return {
    key,
    rsa,
    /** The key of another client of the same team. */
    otherKey,
    client: () => existing('attacked'),
    other: () => existing('other'),
    claims,
    signed,
    send,
    /** Sends an assertion with these changes. */
    forge: async (changes: object = {}, header: object = {}, by: ClientKey = key) => send(await signed(changes, header, by)),
  }
}
