import { randomUUID } from 'node:crypto'
import { openClient } from '../prisma/client.ts'
import { createApp } from './app.ts'
import { atPort, readConfig } from './config.ts'
import { openDatabase } from './database/open.ts'
import { createDemo } from './demo/demo.ts'
import { isPlainError, messageOf } from './failure.ts'
import { greeting } from './greeting.ts'
import { createLog } from './log.ts'
import { createOutbox } from './mail/outbox.ts'
import { createCleanup } from './oidc/storage/cleanup.ts'
import { keptSecretKey, secretDeriver } from './secret-key.ts'
import { listen } from './server.ts'
import { stopSignal } from './signals.ts'

// How long requests, and then mails, that are under way may take to end once a stop is asked for.
const graceSeconds = 10

try {
  await serve()
} catch (error) {
  // What we refuse is said in a line; a fault of our own comes with where it happened.
  console.error(isPlainError(error) ? messageOf(error) : error)
  process.exitCode = 1
}

/** Runs the service until it is told to stop. What was opened is closed in reverse order, however far it came. */
async function serve(): Promise<void> {
  const given = readConfig()
  const log = createLog(given.logLevel)
  const ended = Promise.withResolvers<NodeJS.Signals | Error>()
  void stopSignal().then(ended.resolve)

  await using running = new AsyncDisposableStack()
  // The database before the port: a second service on the data folder is to hear who holds it, not of a taken port.
  const opened = await openDatabase(given, 'service', log, { onEvicted: ended.resolve })
  running.defer(opened.close)
  const server = await listen(given)
  running.defer(() => server.close(0))
  const config = { ...atPort(given, server.port), secretKey: given.secretKey ?? keptSecretKey(given.dataDir) }

  const { poolConfig } = opened
  const database = openClient(poolConfig)
  running.defer(database.close)
  const deriveSecret = secretDeriver(config.secretKey)
  const outbox = createOutbox({ config, poolConfig, database, deriveSecret, log })
  running.defer(() => outbox.stop(graceSeconds))
  await outbox.start()
  const { sendMail, mailbox } = outbox
  const app = createApp({ config, database, log, sendMail, mailbox })
  running.defer(app.close)
  const cleanup = createCleanup({ database, now: () => new Date(), report: (error) => log.error({ err: error }, 'clean-up') })
  running.defer(cleanup.close)
  running.defer(() => server.close(graceSeconds))
  const ports = {
    database,
    now: () => new Date(),
    sendMail,
    // For the demo alone, which ends none.
    sessionsEnded: () => {},
    deriveSecret,
    invitationDays: config.invitationDays,
    signUp: config.signUp,
    authUrl: config.authUrl,
    requestId: randomUUID(),
  }
  // Nobody wants a team they did not make, or a token in the log, in production.
  const demo = config.nodeEnv === 'production' ? undefined : await opened.onFirstStart(() => createDemo(poolConfig, ports))
  await app.ready()
  server.serve(app.handler)
  cleanup.start()
  await opened.announce(server.address)
  process.stdout.write(greeting({ authUrl: config.authUrl, hasMailbox: mailbox !== undefined, demo }))

  const reason = await ended.promise
  if (reason instanceof Error) throw reason
  log.info(`stopping on ${reason}`)
}
