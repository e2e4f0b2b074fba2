import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { fillSample } from '../../../rest-facade/openapi/quick-start.ts'
import { contentOf, noticeOf, tokenValueOn } from '../../support/account-site/page-content.ts'
import { inTeam } from '../../support/account-site/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createTeam } from '../../support/data/team.ts'
import { createProgramFolder, isInstalled, runAsShown } from '../../support/developers/run-program.ts'
import { createTeamClient } from '../../support/oauth/clients/machines.ts'
import { consentChoices, createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import { reservePort } from '../../support/processes/port.ts'
import { useService } from '../../support/service/service.ts'
import { addSecret } from '../../support/service/secrets/secrets-in-logs.ts'
import { waitFor } from '../../support/service/wait.ts'

// The programs of the quick start, as the pages of an app show them, connect an account.

const service = useService()
const { database } = service
const scope = 'openid profile teams'

/** Registers an app with a redirect URI, and fills in the program. */
async function fill(file: string, confidential: boolean, redirectUri: string) {
  const client = await createClient(database, { confidential, redirectUris: [redirectUri] })
  const text = fillSample(file, { authUrl: service.url, clientId: client.clientId, redirectUri, scope, isConfidential: confidential })
  const program = path.join(createProgramFolder(), file)
  writeFileSync(program, text)
  return { program, env: { ...process.env, ...(client.secret !== null && { CLIENT_SECRET: client.secret }) } }
}

/** Allows access at the consent page. Returns the address at which the browser ends. */
const allow = async (browser: Browser, consent: Page): Promise<URL> =>
  (await browser.press(consent, 'Allow access', consentChoices(consent))).url

/** Creates an app on its page, and returns the page that follows, which shows the programs. */
async function createApp(kind: 'web' | 'public', redirectUri: string) {
  const { browser, page } = await inTeam(service, 'owner', '/developers/new')
  const created = await browser.press(page, 'Create app', { Name: 'Portal', kind, 'Redirect URIs': redirectUri })
  const secret = tokenValueOn(created)
  addSecret(secret)
  return { browser, created, secret }
}
const programOn = ({ root }: Page, file: string) => root.querySelector(`pre[id="${file}"]`)?.text ?? ''

describe.each([
  ['app.mjs', 'node'],
  ['app.py', 'python3'],
  ['app.php', 'php'],
  ['app.go', 'go'],
])('the program %s on the page of an app', (file, command) => {
  test.skipIf(!isInstalled(command)).each([
    ['web', '/oauth/return?from=portal'],
    ['public', '/'],
  ] as const)(
    'connects an account as shown, for an app of the kind %s with the redirect path %s',
    { timeout: 120_000 },
    async (kind, target) => {
      const { port, release } = reservePort()
      release()
      const { browser, created, secret } = await createApp(kind, `http://127.0.0.1:${port}${target}`)
      const address = await runAsShown(programOn(created, file), file, kind === 'web' ? { CLIENT_SECRET: secret } : {})
      expect(address).toBe(`http://127.0.0.1:${port}/`)
      const open = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })
      const start = await open(address)
      const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const callback = await allow(browser, await browser.open(start.headers.get('location') ?? ''))
      const forged = await open(callback.href)
      expect([start.status, forged.status]).toEqual([302, 400])
      const response = await open(callback.href, cookie)
      expect([response.status, response.headers.get('content-type'), await response.json()]).toMatchObject([
        200,
        expect.stringContaining('application/json'),
        { kind: 'oauth', name: 'Ada' },
      ])
    },
  )
})

test('the page of an app on another host explains where the programs run, and adds a redirect URI on the computer', async () => {
  const { browser, created } = await createApp('public', 'https://app.example/callback')
  expect(contentOf(created)).toContain('on app.example . The programs must run on the server of that host. To run them on your computer')
  expect(programOn(created, 'app.py')).toContain(
    'then open https://app.example/\n# https://app.example must pass its requests to 127.0.0.1:8080',
  )
  const shown = await browser.press(created, 'Add redirect URI')
  expect([...noticeOf(shown), contentOf(shown).includes('To run them on your computer')]).toEqual([
    200,
    'The redirect URI was added.',
    false,
  ])
  expect(programOn(shown, 'app.py')).toContain('then open http://127.0.0.1:8080/\nimport')
  const { clientId } = await database.prisma.oAuthClient.findFirstOrThrow({
    where: { clientId: created.url.pathname.split('/').at(-2) ?? '' },
  })
  const app = await database.prisma.oAuthClient.findUniqueOrThrow({ where: { clientId } })
  expect([app.redirectUris, app.name]).toEqual([['https://app.example/callback', 'http://127.0.0.1:8080/callback'], 'Portal'])
})

test('the page of an installed app shows no program that cannot receive its responses', async () => {
  const { created } = await createApp('public', 'com.example.app:/callback')
  expect(contentOf(created)).toContain('com.example.app:/callback leads to an installed app, where these programs cannot run.')
  expect(created.root.querySelectorAll('details.sample pre').map(({ id }) => id)).toEqual(['connect.sh'])
})

test('a redirect URI that a program cannot listen on gets the port 8080, which the service accepts', () => {
  const fillApp = (file: string, redirectUri: string) =>
    fillSample(file, { authUrl: service.url, clientId: 'portal', redirectUri, scope, isConfidential: false })
  expect(fillApp('app.mjs', 'http://127.0.0.1/callback')).toContain("const redirectUri = 'http://127.0.0.1:8080/callback'")
  expect(fillApp('app.php', 'http://[::1]:80/callback')).toContain('`php -S [::1]:8080 app.php`, then open http://[::1]:8080/')
  expect(fillApp('app.py', 'http://[::1]:3000/callback')).toContain('AF_INET6')
})

test.each([true, false])('connect.sh connects an account step by step; confidential: %s', { timeout: 60_000 }, async (confidential) => {
  const { program, env } = await fill('connect.sh', confidential, "https://app.example/it's?a=b&c=d")
  const running = spawn('sh', [program], { env })
  let output = ''
  running.stdout.on('data', (piece: Buffer) => (output += piece.toString()))
  await waitFor(() => Promise.resolve(output.includes('Code: ')))
  const [address = ''] = /http\S+authorize\S+/.exec(output) ?? []
  const browser = new Browser(service.url)
  const callback = await allow(browser, await signIn(browser, await browser.open(address), await createPerson(database)))
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
  ['service.go', 'go'],
])('the program %s reads the team of the app', async (file, command) => {
  if (!isInstalled(command)) return console.log(`${command} is not installed: ${file} is not tested`)
  const team = await createTeam(database)
  const { clientId, secret } = await createTeamClient(database, team)
  const program = path.join(createProgramFolder(), file)
  writeFileSync(program, fillSample(file, { authUrl: service.url, clientId, redirectUri: '', scope, isConfidential: true }))
  const { stdout } = await promisify(execFile)(command, [...(command === 'go' ? ['run'] : []), program], {
    env: { ...process.env, CLIENT_SECRET: secret ?? '' },
  })
  expect(JSON.parse(stdout).data).toMatchObject([{ slug: team.slug }])
})

const files = 'app.mjs app.py app.php app.go connect.sh device.sh service.mjs service.py service.php service.go service.sh'.split(' ')
test.each(files)('the program %s has no placeholder, and quotes what a redirect URI can contain', (file) => {
  for (const isConfidential of [true, false]) {
    const redirectUri = "https://app.example/'$(x)"
    const text = fillSample(file, { authUrl: service.url, clientId: 'portal', redirectUri, scope, isConfidential })
    expect([text.includes('{{'), text.includes("/'$(x)")]).toEqual([false, file === 'app.go'])
  }
})
