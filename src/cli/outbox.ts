import type pg from 'pg'
import { pino } from 'pino'
import type { Database } from '../../prisma/client.ts'
import type { Config } from '../config.ts'
import type { Outbox } from '../mail/outbox.ts'

/** The outbox, to put in, list and retry: to send is the service's to do. Connects once it is used. */
export async function commandOutbox(config: Config, poolConfig: pg.PoolConfig, database: Database): Promise<Outbox> {
  // Loaded here alone: with it come the queue and the mail client, which few commands need.
  const { createOutbox } = await import('../mail/outbox.ts')
  return createOutbox({
    config,
    poolConfig,
    database,
    log: pino({ level: 'warn' }, pino.destination(2)),
    deriveSecret: () => {
      throw new Error('the command line makes no link')
    },
  })
}
