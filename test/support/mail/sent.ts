import type { Mail } from '../../../schema/core/mails/mails.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createCompose } from '../../../src/mail/mails.ts'
import { secretKey } from '../service/test-settings.ts'
import type { TestService } from '../service/service.ts'
import { brand } from './brand.ts'

/** Functions that return the mails of a service without sending them. */
export function sentBy({ database, clock, mails, url: authUrl }: TestService) {
  const compose = createCompose({ database, now: clock.now, deriveSecret: secretDeriver(secretKey), authUrl, brand })
  return {
    /** The mails that `action` queues. */
    async mailsOf(action: () => Promise<unknown>): Promise<Mail[]> {
      const before = mails.length
      await action()
      return mails.slice(before)
    },
    async messageOf(mail: Mail | undefined) {
      const composed = mail && (await compose(mail))
      if (!composed || 'dropped' in composed) throw new Error(`not sent: ${JSON.stringify([mail, composed])}`)
      return composed.message
    },
  }
}
