import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openClient } from '../../prisma/client.ts'
import type { Database } from '../../prisma/client.ts'
import { invitationSecret } from '../../schema/invitation-link.ts'
import { sha256 } from '../../schema/secret.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { openQueue, steadyPace } from '../../src/mail/queue.ts'
import { createDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { secretKey, silent } from '../support/pace.ts'
import { startMailServer } from '../support/smtp.ts'
import { createTeam, createUser, unique } from '../support/team.ts'
import { waitFor } from '../support/wait.ts'

// A mail that was taken by the mail server and not settled when its process was killed leaves again: a database each.
let made: TestDatabase
let database: Database
const running = new Set<() => Promise<void>>()

beforeEach(async () => {
  made = await createDatabase()
  database = openClient(made.poolConfig)
})

afterEach(async () => {
  for (const kill of running) await kill()
  await database.close()
  await made.drop()
})

/** Starts test/support/outbox-process.ts; resolves once it is ready, with what kills it at once. */
async function start(smtpUrl: string, ...words: string[]): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '..', 'support', 'outbox-process.ts'), ...words], {
    env: { PATH: process.env.PATH, DATABASE_URL: made.url, SMTP_URL: smtpUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    running.delete(kill)
  }
  running.add(kill)
  const [said] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown]
  expect(String(said)).toBe('ready\n')
  return kill
}

async function createInvitation() {
  const [team, owner, nonce] = [await createTeam(database), await createUser(database), randomBytes(16)]
  const email = `${unique('guest')}@example.test`
  const expiresAt = new Date(Date.now() + 86_400_000)
  const data = {
    teamId: team.id,
    email,
    role: 'member',
    nonce,
    tokenHash: sha256(invitationSecret({ deriveSecret: secretDeriver(secretKey) }, nonce)),
    invitedById: owner.id,
    sentAt: new Date(),
    expiresAt,
  } as const
  const { id } = await database.prisma.invitation.create({ data })
  return { id, nonce: nonce.toString('base64url'), email }
}

describe('given a process that is killed', () => {
  test('between the commit and the sending: the mail leaves when another starts', async () => {
    const server = await startMailServer()
    const { id, nonce, email } = await createInvitation()
    const kill = await start(server.url, 'put', id, nonce)
    await kill()
    expect(server.mails).toEqual([])
    const killNext = await start(server.url, 'send')
    await waitFor(() => server.mails.length > 0)
    expect(server.mails.map(({ to }) => to?.[0]?.address)).toEqual([email])
    await killNext()
    await server.close()
  })

  test('while the mail server takes the mail: it leaves again, and both can be known as one', async () => {
    const taken: string[] = []
    const hanging = await startMailServer({
      onMail: (source) => {
        taken.push(source)
        return new Promise(() => {})
      },
    })
    const { id, nonce } = await createInvitation()
    const kill = await start(hanging.url, 'send')
    const killPutter = await start(hanging.url, 'put', id, nonce)
    await waitFor(() => taken.length > 0)
    await Promise.all([kill(), killPutter()])
    const server = await startMailServer()
    const killNext = await start(server.url, 'send')
    await waitFor(() => server.mails.length > 0, 15)
    const messageId = (source = '') => /^Message-ID: (<[0-9a-f]{40}@localhost>)\r$/im.exec(source)?.[1]
    expect(messageId(server.sources[0])).toMatch(/^</)
    expect(messageId(taken[0])).toBe(messageId(server.sources[0]))
    await killNext()
    await server.close()
    await hanging.close()
  })
})

describe('given several processes on a new database', () => {
  test('all make or find the queue, and none fails', async () => {
    const bosses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => openQueue(made.poolConfig, index % 2 === 0, steadyPace, silent)),
    )
    expect(await bosses[0]?.getQueue('mail')).toMatchObject({ name: 'mail', retryLimit: 80, notify: true })
    await Promise.all(bosses.map((boss) => boss.stop()))
  })
})
