import type pg from 'pg'
import type { Database } from '../../prisma/connection/database.ts'
import { lazyDeriver } from '../config/secret-key.ts'
import type { Config } from '../config/settings.ts'
import { createLog } from '../http/logging/log.ts'
import type { Mailer } from '../mail/mailer.ts'

export interface CommandMailer extends Mailer {
  stop(): Promise<void>
}

/** Creates a mailer that adds and lists mails. Only the service sends them. It connects when it is first used. */
export async function createCommandMailer(config: Config, poolConfig: pg.PoolConfig, database: Database): Promise<CommandMailer> {
  // These modules are imported on demand, because few commands need the job queue and the mail client.
  const [{ createOutbox }, { createMailer }] = await Promise.all([import('../jobs/outbox.ts'), import('../mail/mailer.ts')])
  const log = createLog({ ...config, logLevel: 'warn' })
  const outbox = createOutbox({ poolConfig, log })
  const deriveSecret = lazyDeriver(() => {
    throw new Error('the command line does not create links')
  })
  return { ...createMailer({ outbox, config, database, deriveSecret, log }), stop: outbox.stop }
}
