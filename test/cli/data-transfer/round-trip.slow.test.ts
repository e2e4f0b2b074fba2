import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { exportRecords } from '../../../src/data-transfer/export/records.ts'
import { forEachType } from '../../../src/data-transfer/records/record-types.ts'
import { readLines } from '../../../src/data-transfer/import/lines.ts'
import { importLines } from '../../../src/data-transfer/import/run-import.ts'
import { childEnvironment } from '../../support/processes/child-environment.ts'
import { runCli, useCli } from '../../support/service/cli.ts'
import { createDatabase } from '../../support/service/database.ts'
import { repetitions } from '../../support/service/full.ts'
import { recordSets } from '../../support/data/records/record-sets.ts'
import { everything } from '../../support/data/records/everything.ts'

const cli = useCli()
let folder: string
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'team-account-export-'))))
afterAll(() => rm(folder, { recursive: true }))

async function withDatabase<T>(work: (session: pg.Client) => Promise<T>): Promise<T> {
  const { poolConfig, drop } = await createDatabase()
  const session = new pg.Client(poolConfig)
  await session.connect()
  try {
    return await work(session)
  } finally {
    await session.end()
    await drop()
  }
}

async function importText(session: pg.Client, file: string) {
  // In small chunks: chunk boundaries must not matter, not even within a character.
  const chunks = (async function* () {
    const bytes = Buffer.from(file)
    for (let start = 0; start < bytes.length; start += 97) yield bytes.subarray(start, start + 97)
  })()
  const options = { partial: false, operator: 'test', source: 'test', onProgress: () => {} }
  return importLines(
    session,
    readLines(chunks, () => {}),
    options,
  )
}
const exportText = (session: pg.Client) =>
  text(
    Readable.from(
      exportRecords(
        session,
        forEachType(() => 0),
      ),
    ),
  )

describe('an export of arbitrary records', () => {
  test('has the same bytes after an import into an empty database, and importing it again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(recordSets, async (records) => {
        const file = records.map((record) => `${JSON.stringify(record)}\n`).join('')
        const first = await withDatabase(async (session) => {
          const report = await importText(session, file)
          expect(report.wrongLines).toEqual([])
          const exported = await exportText(session)
          const { counts } = await importText(session, exported)
          for (const { read, unchanged } of Object.values(counts)) expect(unchanged).toBe(read)
          expect(await exportText(session)).toBe(exported)
          return exported
        })
        const second = await withDatabase(async (session) => {
          expect((await importText(session, first)).wrongLines).toEqual([])
          return exportText(session)
        })
        expect(second).toBe(first)
      }),
      { numRuns: repetitions({ short: 4, full: 10 }) },
    )
  })
})

describe('the export command', () => {
  test('writes a file that only its owner can read and that import and export reproduce byte for byte', async () => {
    const { slug, owner, member, token, client, clientSecret, webhook, provider, domain, records } = everything()
    await cli.import(records)
    const file = path.join(folder, 'all.ndjson')
    await writeFile(file, 'what was there before')
    const { status, stdout, stderr } = await cli.run('export', file, '--json')
    expect({ status, ...JSON.parse(stdout), stderr }).toEqual({
      status: 0,
      records: {
        user: 2,
        team: 1,
        member: 2,
        app: 1,
        invoice: 1,
        token: 2,
        client: 1,
        webhook: 1,
        domain: 1,
        identity_provider: 1,
        group_role: 1,
        linked_identity: 2,
      },
      stderr: '',
    })
    expect([(await stat(file)).mode & 0o777, await readdir(folder)]).toEqual([0o600, ['all.ndjson']])
    const bytes = await readFile(file, 'utf8')
    const lines = bytes.trimEnd().split('\n')
    const types = 'user user team app member member invoice token token client webhook domain identity_provider group_role'
    expect(lines.map((line) => JSON.parse(line).type).join(' ')).toBe(`${types} linked_identity linked_identity`)
    // Members in the order of the format, default values omitted, instants in UTC.
    expect(lines[2]).toBe(
      `{"type":"team","slug":"${slug}","name":"Acme","timezone":"Europe/Kyiv","gravatar_email":"crew@example.com","created_at":"2020-02-29T10:00:00.000Z",` +
        `"billing_name":"Acme Ltd","billing_address":"1 Main Street\\nSpringfield","vat_id":"DE123456789","invoice_recipients":["invoices@example.com"],` +
        `"agent_hosts":["agent.example.com"]}`,
    )
    expect(lines[4]).toBe(`{"type":"member","team":"${slug}","user":"${owner}","role":"owner","joined_at":"2020-03-01T00:00:00.000Z"}`)
    expect(lines[6]).toBe(
      `{"type":"invoice","team":"${slug}","number":"ACME-1","app_id":"deploy","status":"paid","currency":"eur","tax":600,"amount_paid":2600,` +
        `"invoice_date":"2026-02-01","due_date":"2026-02-15","paid_at":"2026-02-03T08:00:00.500Z","period_start":"2026-01-01","period_end":"2026-01-31",` +
        `"lines":[{"description":"Seats","quantity":3,"unit_amount":1000,"tax_rate":30,"app_id":"deploy","period_start":"2026-01-01","period_end":"2026-01-31"},` +
        `{"description":"Credit","quantity":1,"unit_amount":-1000,"tax_rate":30}]}`,
    )
    expect(lines[9]).toBe(
      `{"type":"client","client_id":"${client}","name":"Dashboard","description":"Shows things",` +
        `"redirect_uris":["https://app.example/cb","http://127.0.0.1/cb"],"confidential":true,` +
        `"client_secret_hashes":[{"sha256":"${sha256(clientSecret).toString('hex')}"}],"grants":["authorization_code","refresh_token"],` +
        `"scopes":{"required":["openid"],"optional":["offline_access","teams"]},"team":"optional","refresh_replay_seconds":30,` +
        `"logo_uri":"https://app.example/logo.svg","publisher":"Example GmbH","verified":true,"client_uri":"https://app.example/",` +
        `"policy_uri":"https://app.example/privacy","tos_uri":"https://app.example/terms","post_logout_redirect_uris":["https://app.example/bye"],` +
        `"backchannel_logout_uri":"https://app.example/logout","id_token_signed_response_alg":"RS256","dpop_bound_access_tokens":true,"require_pushed_authorization_requests":true,"require_key_authentication":true,` +
        `"jwks_uri":"https://app.example/keys.json","disabled_at":"2026-05-05T05:05:05.000Z"}`,
    )
    expect(lines[10]).toBe(
      `{"type":"webhook","id":"${webhook}","team":"${slug}","url":"https://hooks.example.com/acme","description":"Sync",` +
        `"types":["team.updated","member.removed"],"created_at":"2026-06-06T06:06:06.000Z"}`,
    )
    expect(lines[11]).toBe(
      `{"type":"domain","team":"${slug}","domain":"${domain}","value":"team-account-verification=x",` +
        `"created_at":"2026-07-07T07:07:07.000Z","verified_at":"2026-07-08T07:07:07.000Z"}`,
    )
    expect(lines[12]).toBe(
      `{"type":"identity_provider","id":"${provider}","team":"${slug}","kind":"oidc","name":"Acme","issuer":"https://idp.example.com",` +
        `"client_id":"client-1","groups_claim":"groups","jit_role":"billing",` +
        `"created_at":"2026-07-07T07:07:07.000Z","disabled_at":"2026-08-08T08:08:08.000Z","agents_enabled_at":"2026-09-09T09:09:09.000Z",` +
        `"agent_client_ids":["agent-1"],"agent_scopes":["acct:team:read"],"links_agents_by_address":true}`,
    )
    expect(lines[13]).toBe(`{"type":"group_role","team":"${slug}","group":"Engineering","role":"member","accessible_app_ids":["flow"]}`)
    expect(lines[14]).toBe(
      `{"type":"linked_identity","provider":"${provider}","subject":"1","user":"${member}","email":"bob@${domain}",` +
        `"created_at":"2026-07-09T07:07:07.000Z","last_sign_in_at":"2026-07-10T07:07:07.000Z"}`,
    )
    expect(bytes).not.toContain(token)
    expect(bytes).not.toContain(clientSecret)
    expect(bytes).not.toContain('correct horse')
    expect(bytes).toContain(member)

    const { url, drop } = await createDatabase()
    const again = { DATABASE_URL: url }
    expect(await runCli(again, ['import', file])).toMatchObject({ status: 0, stderr: '' })
    expect(await runCli(again, ['export'])).toEqual({ status: 0, stdout: bytes, stderr: '' })
    expect(await runCli(again, ['export', '-'])).toEqual({ status: 0, stdout: bytes, stderr: '' })
    await drop()
  })

  test('ends with exit status 1 and writes nothing if the file cannot be created', async () => {
    const file = path.join(folder, 'none', 'all.ndjson')
    expect(await cli.run('export', file)).toEqual({ status: 1, stdout: '', stderr: `${file}: there is no such file or folder\n` })
  })

  test('ends with exit status 1 and no error message if its reader closes the pipe early', async () => {
    await cli.pool.query(`INSERT INTO users (email, name) SELECT n || '@example.com', repeat('x', 200) FROM generate_series(1, 20000) n`)
    const program = path.join(projectFolder, 'dist', 'cli.js')
    const child = spawn(process.execPath, [program, 'export'], {
      env: childEnvironment(cli.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.once('data', () => child.stdout.destroy())
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
  })
})
