import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fillSample } from '../../../rest-facade/openapi/quick-start.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam } from '../../support/data/team.ts'
import { createTeamClient } from '../../support/oauth/clients/machines.ts'
import { consentChoices, createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import { reservePort } from '../../support/processes/port.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

// The programs of the quick start, filled in as on the page of an app, connect an account.

const service = useService()
const { database } = service
const scope = 'openid profile teams'

const isInstalled = (command: string) => spawnSync(command, ['--version']).status === 0
const folder = () => mkdtempSync(path.join(tmpdir(), 'quick-start-'))

/** Registers an app whose redirect URI is on this machine, and fills in the program. */
async function fill(file: string, confidential: boolean, redirectUri: string) {
  const client = await createClient(database, { confidential, redirectUris: [redirectUri] })
  const text = fillSample(file, { authUrl: service.url, clientId: client.clientId, redirectUri, scope, isConfidential: confidential })
  const program = path.join(folder(), file)
  writeFileSync(program, text)
  return { client, text, program, env: { ...process.env, ...(client.secret !== null && { CLIENT_SECRET: client.secret }) } }
}

/** Opens an address of the service, signs in and allows access. Returns the address at which the browser ends. */
async function allow(address: string): Promise<URL> {
  const browser = new Browser(service.url)
  const consent = await signIn(browser, await browser.open(address), await createPerson(database, { name: 'Ada' }))
  return (await browser.press(consent, 'Allow access', consentChoices(consent))).url
}

describe.each([
  ['app.mjs', 'node', []],
  ['app.py', 'python3', []],
  ['app.php', 'php', ['-S']],
] as const)('the program %s', (file, command, options) => {
  test.skipIf(!isInstalled(command)).each([true, false])(
    'connects an account; confidential: %s',
    { timeout: 60_000 },
    async (confidential) => {
      const { port, release } = reservePort()
      release()
      const origin = `http://127.0.0.1:${port}`
      const { program, env } = await fill(file, confidential, `${origin}/callback`)
      const running = spawn(command, [...options, ...(file === 'app.php' ? [`127.0.0.1:${port}`] : []), program], {
        env: { ...env, PORT: String(port) },
        stdio: 'ignore',
      })
      onTestFinished(() => void running.kill())
      const open = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })
      await waitFor(() =>
        open(origin).then(
          () => true,
          () => false,
        ),
      )
      const start = await open(origin)
      const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const callback = await allow(start.headers.get('location') ?? '')
      const forged = await open(callback.href)
      expect([start.status, forged.status]).toEqual([302, 400])
      const answer = await open(callback.href, cookie)
      expect([answer.status, await answer.json()]).toMatchObject([200, { kind: 'oauth', name: 'Ada' }])
    },
  )
})

test.each([true, false])('connect.sh connects an account step by step; confidential: %s', { timeout: 60_000 }, async (confidential) => {
  const { program, env } = await fill('connect.sh', confidential, "https://app.example/it's?a=b&c=d")
  const running = spawn('sh', [program], { env })
  let output = ''
  running.stdout.on('data', (piece: Buffer) => (output += piece.toString()))
  await waitFor(() => Promise.resolve(output.includes('Code: ')))
  const [address = ''] = /http\S+authorize\S+/.exec(output) ?? []
  const callback = await allow(address)
  expect(callback.href).toMatch(/^https:\/\/app\.example\/it's\?a=b&c=d&code=/)
  running.stdin.end(`${callback.searchParams.get('code')}\n`)
  await new Promise((resolve) => running.once('close', resolve))
  expect(JSON.parse(output.slice(output.indexOf('{')))).toMatchObject({ token_type: 'Bearer', scope: expect.stringContaining('teams') })
})

test('service.sh and device.sh name the requests that the service answers', async () => {
  const client = await createTeamClient(database, await createTeam(database))
  const values = { authUrl: service.url, clientId: client.clientId, redirectUri: '', scope, isConfidential: true }
  const [first = ''] = fillSample('service.sh', values).split('\n\n')
  const { stdout } = await promisify(execFile)('sh', ['-c', first], { env: { ...process.env, CLIENT_SECRET: client.secret ?? '' } })
  expect(JSON.parse(stdout)).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
  expect(fillSample('device.sh', { ...values, isConfidential: false })).not.toContain('CLIENT_SECRET')
})

test.each([
  ['service.mjs', 'node'],
  ['service.py', 'python3'],
  ['service.php', 'php'],
])('the program %s reads the team of the app', async (file, command) => {
  if (!isInstalled(command)) return console.log(`${command} is not installed: ${file} is not tested`)
  const team = await createTeam(database)
  const { clientId, secret } = await createTeamClient(database, team)
  const program = path.join(folder(), file)
  writeFileSync(program, fillSample(file, { authUrl: service.url, clientId, redirectUri: '', scope, isConfidential: true }))
  const { stdout } = await promisify(execFile)(command, [program], { env: { ...process.env, CLIENT_SECRET: secret ?? '' } })
  expect(JSON.parse(stdout).data).toMatchObject([{ slug: team.slug }])
})

test('a program has no placeholder, and quotes what a redirect URI can contain', () => {
  for (const file of ['app.mjs', 'app.py', 'app.php', 'connect.sh', 'device.sh', 'service.sh', 'service.mjs', 'service.py', 'service.php'])
    for (const isConfidential of [true, false]) {
      const redirectUri = "https://app.example/'$(x)"
      const text = fillSample(file, { authUrl: service.url, clientId: 'portal', redirectUri, scope, isConfidential })
      expect([file, text.includes('{{'), text.includes("/'$(x)")]).toEqual([file, false, false])
    }
})
