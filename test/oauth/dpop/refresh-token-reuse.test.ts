import { describe, expect, test } from 'vitest'
import { createKey, createProof } from '../../support/oauth/dpop.ts'
import { authorize, createClient, createPerson, post } from '../../support/oauth/oauth.ts'
import { travel } from '../../support/service/clock.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const reuseMail = expect.objectContaining({ kind: 'refresh-token-reuse' })

describe('a used refresh token that is bound to a key', () => {
  test('is refused without its key, and ends its chain only with its key', async () => {
    const client = await createClient(service.database, { confidential: false })
    const { code, verifier } = await authorize(service, client, await createPerson(service.database))
    const key = createKey()
    const send = async (fields: Record<string, string>, proofKey = key) => {
      const target = { token: '', method: 'POST', url: `${service.url}/api/oauth/token`, now: new Date() }
      return post(service, '/api/oauth/token', client, fields, { DPoP: await createProof(proofKey, target, { ath: undefined }) })
    }
    const refreshFields = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token })
    const codeFields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: client.redirectUri }
    const { body: tokens } = await send(codeFields)
    const { body: current } = await send(refreshFields(tokens.refresh_token))
    travel(11_000)
    expect((await send(refreshFields(tokens.refresh_token), createKey())).body.error).toBe('invalid_grant')
    expect(service.mails).not.toContainEqual(reuseMail)
    expect((await send(refreshFields(tokens.refresh_token))).body.error).toBe('invalid_grant')
    expect(service.mails).toContainEqual(reuseMail)
    expect((await send(refreshFields(current.refresh_token))).body.error).toBe('invalid_grant')
  })
})
