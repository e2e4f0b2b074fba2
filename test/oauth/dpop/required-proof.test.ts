import { expect, test } from 'vitest'
import { createKey, createProof } from '../../support/oauth/dpop.ts'
import { authorize, createClient, createPerson, post } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

test.each([true, false])(
  'a client that demands DPoP gets and refreshes tokens with a proof only (confidential: %s)',
  async (confidential) => {
    const client = await createClient(service.database, { confidential, dpopBoundAccessTokens: true })
    const { code, verifier } = await authorize(service, client, await createPerson(service.database))
    const key = createKey()
    const send = async (fields: Record<string, string>, hasProof: boolean) => {
      const target = { token: '', method: 'POST', url: `${service.url}/api/oauth/token`, now: new Date() }
      return post(service, '/api/oauth/token', client, fields, hasProof ? { DPoP: await createProof(key, target, { ath: undefined }) } : {})
    }
    const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: client.redirectUri }
    const refused = { status: 400, body: { error: 'invalid_dpop_proof', error_description: 'the client must send a DPoP proof' } }
    expect(await send(exchange, false)).toMatchObject(refused)
    const { body: tokens } = await send(exchange, true)
    expect(tokens.token_type).toBe('DPoP')
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    // A refused request does not use up the token.
    expect(await send(refresh, false)).toMatchObject(refused)
    expect(await send(refresh, true)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
    expect(service.mails).not.toContainEqual(expect.objectContaining({ kind: 'refresh-token-reuse' }))
  },
)

test.each([{ b64: true }, { b64: true, crit: ['b64'] }])('the token endpoint refuses a proof with %o in its header', async (header) => {
  const client = await createClient(service.database)
  const { code, verifier } = await authorize(service, client, await createPerson(service.database))
  const target = { token: '', method: 'POST', url: `${service.url}/api/oauth/token`, now: new Date() }
  const key = createKey()
  const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: client.redirectUri }
  const send = async (more: object) =>
    post(service, '/api/oauth/token', client, exchange, { DPoP: await createProof(key, target, { ath: undefined }, more) })
  expect(await send(header)).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } })
  expect(await send({})).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
})
