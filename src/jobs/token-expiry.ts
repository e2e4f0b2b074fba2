import { isUnavailable } from '../../prisma/connection/availability.ts'
import type { Ports } from '../../schema/core/context.ts'
import { announceExpiringTokens } from '../../schema/tokens/expiry-notices.ts'
import { everyMinute } from './every-minute.ts'
import type { PeriodicWork } from './every-minute.ts'

interface TokenExpiryPorts extends Pick<Ports, 'database' | 'now' | 'sendMail'> {
  report(error: unknown): void
}

/** Queues the mails about tokens that expire soon. A run returns how many tokens were announced. */
export const createTokenExpiry = ({ report, ...ports }: TokenExpiryPorts): PeriodicWork<number> =>
  everyMinute({ name: 'token-expiry', database: ports.database, report }, async () => {
    try {
      return await announceExpiringTokens(ports)
    } catch (error) {
      // Requests report an unavailable database already.
      if (!isUnavailable(error)) report(error)
      return 0
    }
  })
