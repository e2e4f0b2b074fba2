import { createServer } from 'node:http'
import type pg from 'pg'
import type { Logger } from 'pino'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { openClient } from '../../../prisma/connection/database.ts'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { Mail } from '../../../schema/core/mails/mails.ts'
import { createApp } from '../../../src/app.ts'
import type { App, AppParts, AppSettings } from '../../../src/app.ts'
import { createOutgoingRequests } from '../../../src/outgoing/outgoing-requests.ts'
import { observeStatements } from '../../../src/http/logging/current-request.ts'
import { createLog } from '../../../src/http/logging/log.ts'
import { respondToParseErrors } from '../../../src/http/parse-errors.ts'
import { nameServerOf } from '../domains/name-server.ts'
import { planDatabase } from './database.ts'
import { reservePort } from '../processes/port.ts'
import { addLog, addSecret, addSecretsOf } from './secrets/secrets-in-logs.ts'
import { noAttemptLimits, secretKey } from './test-settings.ts'

/** A service on a real port with a database that no other test uses. The test controls the clock and the mail transport. */
export interface TestService {
  url: string
  database: OpenDatabase
  /** The DATABASE_URL of a command that uses the same database. */
  databaseUrl: string
  /** The clock of the service. `advance` moves it forward. */
  clock: { now(): Date; advance(milliseconds: number): void }
  /** The mails in the outbox, oldest first. */
  mails: Mail[]
  sendMail: AppParts['sendMail']
  outgoing: AppParts['outgoing']
  /** The statements sent to the database. A test empties the list with `statements.length = 0`. */
  statements: string[]
  /** The prepared statements with their values. A test empties the list with `executions.length = 0`. */
  executions: { text: string; values: readonly unknown[] }[]
  /** The log lines of the service with level error and above. */
  logged: LogEvent[]
  /** The log lines about identity providers that cannot be used. */
  providerFailures: LogEvent[]
  /** The log lines of its requests. */
  requests: LogEvent[]
  log: Logger
}

/** A line of the log. */
interface LogEvent {
  level: number
  msg: string
  requestId?: string
  route?: string
  err?: { message: string }
}
const errorLevel = 50

/** Creates an outbox that delivers mail, for the tests of mail delivery. */
export type CreateOutbox = (parts: {
  url: string
  database: OpenDatabase
  poolConfig: pg.PoolConfig
  now(): Date
}) => Pick<AppParts, 'sendMail' | 'mailbox'> & { start(): Promise<void>; stop(): Promise<void> }

/** The settings that differ from the defaults of the tests, and the parts that a test replaces. */
interface ServiceOptions extends Partial<AppSettings>, Pick<AppParts, 'streamIntervalMilliseconds' | 'tracer'> {
  /** The host name in the URL. Passkeys require `localhost`. */
  hostname?: string
  createOutbox?: CreateOutbox
  /** Returns the connection that the service uses, for example one through a TCP proxy that a test interrupts. It has the time limits of the service. */
  connectThrough?: (poolConfig: pg.PoolConfig) => pg.PoolConfig
}

/**
 * Returns a service for the tests of this file or `describe`. Its properties can be read immediately; its database and its
 * HTTP server run from `beforeAll` to `afterAll`.
 */
export function useService(options?: ServiceOptions): TestService {
  const { start, close, ...service } = createService(options)
  beforeAll(start)
  afterAll(close)
  // A test that failed may have used up limits of attempts. It runs again without them.
  beforeEach(async ({ task }) => {
    if (task.result?.retryCount) await service.database.prisma.attemptCount.deleteMany()
  })
  return service
}

/** Starts a service within a test and stops it when the test ends. */
export async function startService(options?: ServiceOptions): Promise<TestService> {
  const { start, close, ...service } = createService(options)
  onTestFinished(close)
  await start()
  return service
}

function createService(options: ServiceOptions = {}) {
  const { hostname = '127.0.0.1', createOutbox, connectThrough, streamIntervalMilliseconds, tracer, ...settings } = options
  const { poolConfig, limitedPoolConfig, url: databaseUrl, create, drop } = planDatabase()
  const statements: string[] = []
  const executions: TestService['executions'] = []
  const observe = observeStatements(tracer)
  const database = openClient(connectThrough?.(limitedPoolConfig) ?? poolConfig, {
    onStatement(text, name, values) {
      statements.push(text)
      if (values) executions.push({ text, values })
      return observe(text, name)
    },
  })
  let offset = 0
  const clock = { now: () => new Date(Date.now() + offset), advance: (milliseconds: number) => void (offset += milliseconds) }
  const mails: Mail[] = []
  const lines: Pick<TestService, 'logged' | 'providerFailures' | 'requests'> = { logged: [], providerFailures: [], requests: [] }
  const log = createLog({ logLevel: 'trace', logFormat: 'json' }, { write })
  function write(line: string): void {
    addLog(line)
    const event: LogEvent = JSON.parse(line)
    if (event.msg === 'request completed') lines.requests.push(event)
    if (event.msg === 'identity provider cannot be used') lines.providerFailures.push(event)
    if (event.level < errorLevel) return
    lines.logged.push(event)
    // Tests with a connection of their own interrupt it.
    if (!connectThrough) process.stderr.write(line)
  }
  // As in the service: with Node's 5 seconds, a busy test may send a request on a connection that is closing.
  const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false })
  const { port, listen, release } = reservePort()
  const url = `http://${hostname}:${port}`
  respondToParseErrors(server, settings.authUrl ?? url)
  addSecretsOf(server)
  const outbox = createOutbox?.({ url, database, poolConfig, now: clock.now })
  let app: App | undefined
  const sendMail: AppParts['sendMail'] = async (transaction, mail) => {
    mails.push(mail)
    await outbox?.sendMail(transaction, mail)
  }
  const outgoing = createOutgoingRequests({ outgoingAllowedHosts: ['127.0.0.1', 'localhost', '::1'], dnsServers: [nameServerOf(url)] })

  async function start(): Promise<void> {
    addSecret(secretKey)
    await create()
    await outbox?.start()
    app = createApp({
      config: {
        authUrl: url,
        flowBaseUrl: undefined,
        secretKey,
        trustProxy: false,
        rateLimitApi: 0,
        ...noAttemptLimits,
        sessionDaysMax: 90,
        invitationDays: 7,
        rateLimitInvitations: 0,
        deletedTeamDays: 14,
        auditDays: 400,
        providerSignInDays: 30,
        signUp: 'open',
        emailSignIn: true,
        socialProviders: {},
        clientRegistration: 'reviewed',
        clientMetadataDocuments: 'reviewed',
        brandLegalName: 'Example Ltd',
        brandPaymentText: ['IBAN DE00 1234', 'State the invoice number.'],
        brandAddress: ['1 Main Street', 'Springfield'],
        brandName: 'Team accounts',
        brandColor: '#1d55c4',
        ...settings,
      },
      database,
      log,
      tracer,
      sendMail,
      outgoing,
      mailbox: outbox?.mailbox,
      now: clock.now,
      strict: true,
      ...(streamIntervalMilliseconds !== undefined && { streamIntervalMilliseconds }),
    })
    server.on('request', app.handler)
    await listen(server)
  }
  async function close(): Promise<void> {
    release()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await outbox?.stop()
    await app?.close()
    await outgoing.close()
    await database.close()
    await drop()
  }
  return { url, database, databaseUrl, clock, mails, sendMail, outgoing, statements, executions, ...lines, log, start, close }
}
