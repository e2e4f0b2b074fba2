import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, request } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { samplesFolder } from '../../rest-facade/openapi/samples.ts'
import type { OwnedTeam } from '../support/data/team.ts'
import { createOwnedTeam, unique } from '../support/data/team.ts'
import { isInstalled } from '../support/developers/run-program.ts'
import { listenAtFreePort } from '../support/oauth/listen.ts'
import { useService } from '../support/service/service.ts'

// The programs of the guide on paging read more members than a page has, although the first requests are refused.

const service = useService()
const { prisma } = service.database

// Of the Debian package libjackson2-databind-java.
const jackson = ['databind', 'core', 'annotations'].map((name) => `/usr/share/java/jackson-${name}.jar`)

/** How each program is started. */
const commands: [file: string, command: string, ...options: string[]][] = [
  ['members.mjs', 'node'],
  ['members.py', 'python3'],
  ['members.rb', 'ruby'],
  ['members.php', 'php'],
  ['members.go', 'go', 'run'],
  ['Members.java', 'java', '-cp', jackson.join(':')],
]

/** Returns true if a program can run. Otherwise prints what is missing. */
function isReady(file: string, command: string): boolean {
  const hasLibrary: Record<string, () => boolean> = {
    'members.php': () => spawnSync('php', ['-r', "exit(extension_loaded('curl') ? 0 : 1);"]).status === 0,
    'Members.java': () => jackson.every((jar) => existsSync(jar)),
  }
  const isAble = isInstalled(command) && (hasLibrary[file]?.() ?? true)
  if (!isAble) console.log(`${command} or a library is not installed: ${file} is not tested`)
  return isAble
}

interface Refusal {
  status: number
  headers?: Record<string, string>
}

/** Starts a proxy that refuses the first requests, and passes the others to the service. Returns its URL and the times of its requests. */
async function startProxy(refusals: Refusal[]) {
  const times: number[] = []
  const proxy = createServer((incoming, outgoing) => {
    times.push(performance.now())
    const refusal = refusals[times.length - 1]
    if (refusal) return outgoing.writeHead(refusal.status, refusal.headers).end('{}')
    const headers = { authorization: incoming.headers.authorization }
    request(new URL(incoming.url ?? '', service.url), { headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    }).end()
  })
  const url = await listenAtFreePort(proxy)
  onTestFinished(() => void proxy.close())
  return { url, times }
}

describe('the programs of the guide on paging', () => {
  let content: OwnedTeam
  let emails: string[]
  beforeAll(async () => {
    content = await createOwnedTeam(service.database)
    const { team, owner } = content
    const users = Array.from({ length: 100 }, () => ({ name: 'Ada', email: `${unique('user')}@example.test` }))
    const created = await prisma.user.createManyAndReturn({ data: users })
    const joinedAt = (index: number) => new Date(Date.now() + 1000 * index)
    await prisma.member.createMany({
      data: created.map(({ id }, index) => ({ teamId: team.id, userId: id, role: 'member' as const, joinedAt: joinedAt(index + 1) })),
    })
    emails = [owner, ...created].map(({ email }) => email)
  })

  const run = (url: string, token: string, [file, command, ...options]: (typeof commands)[number]) => {
    const env = { ...process.env, SERVICE_URL: url, TOKEN: token, TEAM: content.team.slug }
    return promisify(execFile)(command, [...options, path.join(samplesFolder, 'members', file)], { env })
  }

  test.each(commands)('%s reads all pages, and repeats what was refused after the seconds of Retry-After', async (...command) => {
    if (!isReady(command[0], command[1])) return
    const { url, times } = await startProxy([{ status: 429, headers: { 'Retry-After': '2' } }, { status: 503 }])
    const { stdout } = await run(url, content.token, command)
    expect(stdout.trimEnd().split('\n')).toEqual(emails)
    const [first = 0, second = 0, third = 0] = times
    expect([times.length, second - first >= 2000, third - second >= 1000]).toEqual([3, true, true])
  })

  test.each(commands)('%s ends with the message of an error that remains', async (...command) => {
    if (!isReady(command[0], command[1])) return
    const { url, times } = await startProxy([])
    await expect(run(url, 'unknown', command)).rejects.toThrow('401 {"message":"Unauthenticated."')
    expect(times).toHaveLength(1)
  })
})
