import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../../rest-facade/openapi/document.ts'
import { readSample, samplesFolder } from '../../../rest-facade/openapi/samples.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { request } from '../../support/http/request.ts'
import { addSecret } from '../../support/service/secrets/secrets-in-logs.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, teamToken } from '../../support/data/team.ts'

const service = useService()
const script = 'rotate-token.mjs'

test('the script of the guide gives a token in a file a new value, and the old one works for an hour', async () => {
  const old = await teamToken(service.database, await createTeam(service.database), { scopes: [] })
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'token-')), 'token')
  writeFileSync(file, `${old}\n`, { mode: 0o600 })
  const run = () =>
    promisify(execFile)('node', [path.join(samplesFolder, script), file], { env: { ...process.env, SERVICE_URL: service.url } })
  expect((await run()).stdout).toBe('')
  const fresh = readFileSync(file, 'utf8')
  addSecret(fresh)
  expect([fresh === old, statSync(file).mode & 0o777]).toEqual([false, 0o600])
  const statusOf = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).status
  expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 200])
  service.clock.advance(3_600_000)
  expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, 200])
  await service.database.prisma.accessToken.update({ where: { hash: sha256(fresh) }, data: { revokedAt: service.clock.now() } })
  await expect(run()).rejects.toThrow('Unauthenticated.')
  expect(readFileSync(file, 'utf8')).toBe(fresh)
})

test('the guide contains the script', () => {
  expect(openApiDocument({ publicUrl: service.url }).info.description).toContain(readSample(script))
})
