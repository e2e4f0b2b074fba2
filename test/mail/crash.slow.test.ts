import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openClient } from '../../prisma/connection/database.ts'
import type { OpenDatabase } from '../../prisma/connection/database.ts'
import { invitationSecret } from '../../schema/invitations/link.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import { secretDeriver } from '../../src/config/secret-key.ts'
import { openQueues, defaultTiming } from '../../src/jobs/queue.ts'
import { childEnvironment } from '../support/processes/child-environment.ts'
import { createDatabase } from '../support/service/database.ts'
import type { TestDatabase } from '../support/service/database.ts'
import { secretKey, silent } from '../support/service/test-settings.ts'
import { startMailServer } from '../support/mail/smtp.ts'
import { createTeam, createUser, unique } from '../support/data/team.ts'
import { waitFor } from '../support/service/wait.ts'

// Each test uses a database of its own: a worker on a shared database would send the mails of other tests.
let testDatabase: TestDatabase
let database: OpenDatabase
/** Kills each process that is still running. */
const kills = new Set<() => Promise<void>>()

beforeEach(async () => {
  testDatabase = await createDatabase()
  database = openClient(testDatabase.poolConfig)
})

afterEach(async () => {
  for (const kill of kills) await kill()
  await database.close()
  await testDatabase.drop()
})

/** Starts test/support/mail/outbox-process.ts and waits until it is ready. Returns a function that kills it with SIGKILL. */
async function startProcess(smtpUrl: string, ...args: string[]): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '..', 'support', 'mail', 'outbox-process.ts'), ...args], {
    env: childEnvironment({ DATABASE_URL: testDatabase.url, SMTP_URL: smtpUrl }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    kills.delete(kill)
  }
  kills.add(kill)
  const [output]: unknown[] = await Promise.race([once(child.stdout, 'data'), ended])
  expect(String(output)).toBe('ready\n')
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

describe('the process that starts after another was killed', () => {
  test('sends the mails that the killed process had not sent', async () => {
    const server = await startMailServer()
    const { id, nonce, email } = await createInvitation()
    const kill = await startProcess(server.url, 'enqueue', id, nonce)
    await kill()
    expect(server.mails).toEqual([])
    const killNext = await startProcess(server.url, 'send')
    await waitFor(() => server.mails.length > 0)
    expect(server.mails.map(({ to }) => to?.[0]?.address)).toEqual([email])
    await killNext()
  })

  test('sends a mail again, with the same Message-ID, whose transmission was interrupted', async () => {
    const received: string[] = []
    const hanging = await startMailServer({
      onMail: (source) => {
        received.push(source)
        return new Promise(() => {})
      },
    })
    const { id, nonce } = await createInvitation()
    const kill = await startProcess(hanging.url, 'send')
    const killSender = await startProcess(hanging.url, 'enqueue', id, nonce)
    await waitFor(() => received.length > 0)
    await Promise.all([kill(), killSender()])
    const server = await startMailServer()
    const killNext = await startProcess(server.url, 'send')
    await waitFor(() => server.mails.length > 0)
    const messageId = (source = '') => /^Message-ID: (<[0-9a-f]{40}@localhost>)\r$/im.exec(source)?.[1]
    expect(messageId(server.sources[0])).toMatch(/^</)
    expect(messageId(received[0])).toBe(messageId(server.sources[0]))
    await killNext()
  })
})

describe('processes that start at the same time on a new database', () => {
  test('create one queue without errors', async () => {
    const queues = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        openQueues({
          poolConfig: testDatabase.poolConfig,
          queues: ['mail'],
          isWorker: index % 2 === 0,
          timing: defaultTiming,
          log: silent,
        }),
      ),
    )
    expect(await queues[0]?.getQueue('mail')).toMatchObject({ name: 'mail', retryLimit: 80, notify: true })
    await Promise.all(queues.map((queue) => queue.stop()))
  })
})
