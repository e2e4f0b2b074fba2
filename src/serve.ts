import { randomUUID } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { isDiskFull } from '../prisma/availability.ts'
import { openClient } from '../prisma/client.ts'
import { createApp } from './app.ts'
import { hasDevelopmentHelp, refuseExposedDevelopment } from './config/development.ts'
import { followDatabaseClock } from './database/clock.ts'
import { atPort, readConfig } from './config/settings.ts'
import type { Config } from './config/settings.ts'
import { linkedDataFolder } from './database/embedded/data-location.ts'
import { applyMigrations } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'
import { checkDatabase, checkMigrations } from './database/readiness.ts'
import { untilAvailable } from './database/until-available.ts'
import { diskFullLine, isPlainError, messageOf } from './config/error-message.ts'
import { greeting } from './demo/greeting.ts'
import { countStatement } from './http/current-request.ts'
import { createHealth } from './http/health.ts'
import { createLog } from './http/log.ts'
import { createOutbox } from './jobs/outbox.ts'
import { checkQueues } from './jobs/queue.ts'
import { createTokenExpiry } from './jobs/token-expiry.ts'
import { mailQueue } from './mail/mail-records.ts'
import { createMailer } from './mail/mailer.ts'
import { createCleanup } from './oidc/storage/cleanup.ts'
import { createPorts } from './config/ports.ts'
import { loadSecretKey, secretDeriver } from './config/secret-key.ts'
import { listen } from './http/server.ts'
import { stopSignal } from './http/stop-signal.ts'

// Time for requests in progress, and then for mails in progress, to finish after a stop signal.
const graceSeconds = 10

/** Runs the service with the settings of the environment, and reports why it cannot start or has ended early. */
export async function main(): Promise<void> {
  try {
    const settings = readConfig()
    refuseExposedDevelopment(settings)
    await serve(settings)
  } catch (error) {
    // A deliberate error is one line; an unexpected one is printed with its stack.
    console.error(isDiskFull(error) ? diskFullLine(error) : isPlainError(error) ? messageOf(error) : error)
    process.exitCode = 1
  }
}

/** Runs the service until a stop signal. Closes what it opened in reverse order, also when the start fails half-way. */
async function serve(settings: Config): Promise<void> {
  const log = createLog(settings)
  const ended = Promise.withResolvers<NodeJS.Signals | Error>()
  void stopSignal().then(ended.resolve)

  await using running = new AsyncDisposableStack()
  // The database before the port: a second service on the same data folder then reports who uses it, not a taken port.
  const opened = await openDatabase(settings, 'service', log, { migrate: false, onEvicted: ended.resolve })
  running.defer(opened.close)
  const health = createHealth(settings.authUrl, log)
  const server = await listen(settings, health)
  running.defer(() => server.close(0))
  await applyMigrations(opened.connection, log)
  const config = { ...atPort(settings, server.port), secretKey: settings.secretKey ?? loadSecretKey(settings.dataDir) }

  const { poolConfig } = opened
  const database = openClient(poolConfig, { onStatement: countStatement })
  running.defer(database.close)
  const reportClock = (error: unknown) => log.error({ err: error }, 'reading the clock of the database failed')
  const clock = await untilAvailable(() => followDatabaseClock(database.pool, reportClock))
  running.defer(clock.close)
  const { now } = clock
  const deriveSecret = secretDeriver(config.secretKey)
  const outbox = createOutbox({ poolConfig, log })
  running.defer(() => outbox.stop(graceSeconds))
  const { sendMail, mailbox } = createMailer({ outbox, config, database, deriveSecret, log, now })
  await outbox.start()
  const app = createApp({ config, database, log, sendMail, mailbox, now })
  running.defer(app.close)
  const cleanup = createCleanup({ database, now, report: (error) => log.error({ err: error }, 'cleanup failed') })
  running.defer(cleanup.close)
  const tokenExpiry = createTokenExpiry({
    database,
    now,
    sendMail,
    report: (error) => log.error({ err: error }, 'announcing expiring tokens failed'),
  })
  running.defer(tokenExpiry.close)
  running.defer(() => server.close(graceSeconds))
  running.defer(app.endStreams)
  const ports = { ...createPorts({ config, database, now, sendMail, deriveSecret }), browser: null, requestId: randomUUID() }
  // Loaded only then, since the import that it uses is a tenth of the code.
  const createDemo = async () => (await import('./demo/demo.ts')).createDemo(poolConfig, ports)
  // A service that others can reach must not contain an unknown team or print a token.
  const demo = hasDevelopmentHelp(config) ? await opened.onFirstStart(createDemo) : undefined
  await untilAvailable(app.ready)
  server.serve(app.handler)
  health.started({
    database: () => checkDatabase(database.pool),
    migrations: () => checkMigrations(database.pool),
    'signing-keys': app.ready,
    'job-queue': () => checkQueues(database.pool, [mailQueue]),
  })
  cleanup.start()
  tokenExpiry.start()
  await opened.announce(server.address)
  const { authUrl, dataDir, databaseUrl } = config
  process.stdout.write(
    greeting({
      authUrl,
      dataDir,
      linkedDataFolder: databaseUrl ? undefined : linkedDataFolder(dataDir),
      hasMailbox: mailbox !== undefined,
      demo,
    }),
  )
  // Now rather than at the exit, so that a killed process leaves it, too. After the first start there is nothing to write.
  flushCompileCache()

  const reason = await ended.promise
  if (reason instanceof Error) throw reason
  log.info(`stopping on ${reason}`)
  health.stopping()
  await pause(settings.shutdownDelay * 1000)
}
