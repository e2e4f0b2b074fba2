import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../../rest-facade/openapi/document.ts'
import { readSample, samplesFolder } from '../../../rest-facade/openapi/samples.ts'
import { createTeam } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { createClientKey, keySetOf } from '../../support/oauth/clients/client-keys.ts'
import { createTeamClient } from '../../support/oauth/clients/machines.ts'
import { addSecret } from '../../support/service/secrets/secrets-in-logs.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const script = 'service-token.mjs'

test('the program of the guide gets a token with a key, and says why it does not', async () => {
  const key = createClientKey('ES256')
  const team = await createTeam(service.database)
  const client = await createTeamClient(service.database, team, { jwks: keySetOf(key), requireKeyAuthentication: true })
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'key-')), 'private-key.pem')
  writeFileSync(file, key.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const run = (kid: string) => {
    const env = { ...process.env, SERVICE_URL: service.url, CLIENT_ID: client.clientId, KEY_ID: kid }
    return promisify(execFile)('node', [path.join(samplesFolder, script), file], { env })
  }
  const token = (await run(key.kid)).stdout.trim()
  addSecret(token)
  expect((await request(service, 'GET', '/api/v1/user', { token })).body).toMatchObject({ kind: 'client', team: team.slug })
  await expect(run('unknown')).rejects.toThrow('the client has no key with the kid of the client assertion')
})

test('the guide contains the program', () => {
  expect(openApiDocument({ publicUrl: service.url }).info.description).toContain(readSample(script))
})
