import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createInvoice } from '../support/data/invoices/invoice.ts'
import { createOwnedTeam, createUser, join, personalToken, unique } from '../support/data/team.ts'
import { useService } from '../support/service/service.ts'
import { languages, programsFolder } from './languages.ts'
import type { Command, Language } from './languages.ts'

// Clients that are generated from the served documents read, change and handle errors as in every other language. The generated code is
// used as it is.

const service = useService()
const { database } = service
const limited = useService({ rateLimitApi: 1 })

const driversFolder = path.join(programsFolder, '..', 'drivers')

/** Returns true if the compiler and the libraries of a language are installed, and the generators. Otherwise prints what is missing. */
function isReady({ name, debianPackages, probe: [program, ...options], env }: Language): boolean {
  const missing = existsSync(programsFolder) ? [] : ['npm ci --prefix test/generated-clients']
  if (spawnSync(program, options, { env: { ...process.env, ...env } }).status !== 0)
    missing.push(`apt-get install ${debianPackages.join(' ')}`)
  // openapi-generator is a Java program.
  if (debianPackages.length > 0 && spawnSync('java', ['--version']).status !== 0) missing.push('apt-get install default-jre-headless')
  if (missing.length > 0) console.log(`The client for ${name} is not tested: ${missing.join('; ')}`)
  return missing.length === 0
}

/** Creates a folder with the documents of the service and the driver. */
async function createFolder(driver: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'generated-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const document of ['openapi.json', 'openapi-3.0.json'])
    writeFileSync(path.join(folder, document), await (await fetch(`${service.url}/api/${document}`)).text())
  cpSync(path.join(driversFolder, driver), path.join(folder, driver))
  symlinkSync(programsFolder, path.join(folder, 'node_modules'))
  return folder
}

/** Creates a team with an owner, two members and two invoices, one of which is larger than 32 bits. Returns what drivers need to know. */
async function createContent() {
  const { team, owner, token } = await createOwnedTeam(database)
  const users = [owner, await createUser(database), await createUser(database)]
  for (const user of users.slice(1)) await join(database, team, user, 'member')
  await createInvoice(database, team, { number: 'FIRST', application: 'flow', invoiceDate: new Date('2026-01-01') }, [3e9, 5])
  await createInvoice(database, team, { number: 'SECOND', application: 'deploy' })
  const env = {
    API_URL: `${service.url}/api`,
    TOKEN: token,
    LIMITED_SCOPE_TOKEN: await personalToken(database, owner, { scopes: ['teams'] }),
    TEAM: team.slug,
    INVITED: `${unique('invited')}@example.test`,
    RATE_LIMITED_URL: `${limited.url}/api`,
    RATE_LIMITED_TOKEN: await personalToken(limited.database, await createUser(limited.database)),
  }
  return { env, emails: users.map(({ email }) => email) }
}

test.each(languages.map((language) => [language.name, isReady(language), language] as const))(
  'a client for %s reads pages and handles every kind of error',
  { timeout: 300_000 },
  async (name, ready, { driver, generate, compile, run, env }) => {
    if (!ready) return
    const folder = await createFolder(driver)
    const content = await createContent()
    const execute = async ([program, ...options]: Command, variables = {}) => {
      const started = performance.now()
      const { stdout } = await promisify(execFile)(program, options, {
        cwd: folder,
        env: { ...process.env, ...env, ...variables },
        maxBuffer: 1e8,
      })
      return { stdout, seconds: (performance.now() - started) / 1000 }
    }
    const durations = { generate: (await execute(generate)).seconds, compile: 0, run: 0 }
    for (const command of compile) durations.compile += (await execute(command)).seconds
    const { stdout, seconds } = await execute(run, content.env)
    durations.run = seconds
    const steps = Object.entries(durations).map(([step, duration]) => `${step} ${duration.toFixed(1)} s`)
    console.log(`${name}: ${steps.join(', ')}`)
    const results = stdout.trimEnd().split('\n')
    expect(results.map((line) => JSON.parse(line))).toEqual([
      { step: 'pages', emails: content.emails },
      { step: 'expand', lines: ['Line 0', 'Line 1'], total: 3_000_000_005 },
      { step: 'filter', numbers: ['SECOND'] },
      { step: 'unauthenticated', status: 401, code: 'unauthenticated' },
      { step: 'forbidden', status: 403, code: 'insufficient_scope' },
      { step: 'not found', status: 404, code: 'not_found' },
      { step: 'invalid', status: 422, code: 'validation_failed', errors: { name: ['The name field is required.'] } },
      { step: 'update', name: 'Renamed' },
      { step: 'conflict', status: 412, code: 'precondition_failed' },
      { step: 'repeat', statuses: [204, 204], replayed: 'true' },
      { step: 'rate limit', status: 429, code: 'rate_limited', seconds: expect.toSatisfy((value) => value >= 1 && value <= 60) },
    ])
    const { email } = await database.prisma.invitation.findFirstOrThrow({ where: { email: content.env.INVITED } })
    expect(await database.prisma.invitation.count({ where: { email } })).toBe(1)
  },
)
