import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import pino from 'pino'
import { afterAll } from 'vitest'
import { openClient } from '../../prisma/client.ts'
import type { Database } from '../../prisma/client.ts'
import type { Mail } from '../../schema/context.ts'
import { createApp } from '../../src/app.ts'
import type { AppParts, AppSettings } from '../../src/app.ts'
import { answerUnparsable } from '../../src/unparsable.ts'
import { createDatabase } from './database.ts'
import { secretKey } from './pace.ts'

/** A service of the test's own: real HTTP on a real port, a real database; its clock and mails are the test's. */
export interface TestService {
  url: string
  database: Database
  /** The clock; `clock.advance(milliseconds)` moves it. */
  clock: { now(): Date; advance(milliseconds: number): void }
  /** Mails put in the outbox, oldest first. */
  mails: Mail[]
  /** Statements sent to the database since `statements.length` was last set to 0. */
  statements: string[]
  /** Lines of the service's log of level error and above. */
  logged: { requestId?: string; err?: { message: string } }[]
  close(): Promise<void>
}

/** What really sends mails, for the tests that are about it. */
export type Mailing = (surroundings: {
  url: string
  database: Database
  poolConfig: pg.PoolConfig
  now(): Date
}) => Promise<Pick<AppParts, 'sendMail' | 'mailbox'> & { stop(): Promise<void> }>

/** What stands between the service and its database, for the tests that cut it. */
export type Wiring = (poolConfig: pg.PoolConfig) => Promise<pg.PoolConfig>

/** What a test sets; passkeys need a host with a name, `localhost`. */
type Settings = Partial<AppSettings> & { hostname?: string }

/** Starts a service and stops it after the tests of the file. */
export async function startService(
  { hostname = '127.0.0.1', ...settings }: Settings = {},
  mailing?: Mailing,
  wire?: Wiring,
): Promise<TestService> {
  const { poolConfig, drop } = await createDatabase()
  const statements: string[] = []
  const database = openClient(wire ? await wire(poolConfig) : poolConfig, { onStatement: (text) => statements.push(text) })
  let offset = 0
  const clock = { now: () => new Date(Date.now() + offset), advance: (milliseconds: number) => void (offset += milliseconds) }
  const mails: Mail[] = []
  const logged: TestService['logged'] = []
  const write = (line: string) => {
    logged.push(JSON.parse(line))
    process.stderr.write(line)
  }
  const server = createServer()
  answerUnparsable(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://${hostname}:${(server.address() as AddressInfo).port}`
  const outbox = await mailing?.({ url, database, poolConfig, now: clock.now })
  const app = createApp({
    config: {
      authUrl: url,
      flowBaseUrl: undefined,
      secretKey,
      trustProxy: false,
      rateLimitApi: 0,
      rateLimitSignInAccount: 0,
      rateLimitSignInAddress: 0,
      rateLimitSignUp: 0,
      rateLimitClientSecret: 0,
      rateLimitUserCode: 0,
      rateLimitLink: 0,
      invitationDays: 7,
      signUp: 'open',
      ...settings,
    },
    database,
    log: pino({ level: wire ? 'silent' : 'error' }, { write }),
    sendMail: async (transaction, mail) => {
      mails.push(mail)
      await outbox?.sendMail(transaction, mail)
    },
    mailbox: outbox?.mailbox,
    now: clock.now,
    strict: true,
  })
  server.on('request', app.handler)
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await outbox?.stop()
    await app.close()
    await database.close()
    await drop()
  }
  afterAll(close)
  return { url, database, clock, mails, statements, logged, close }
}
