import { messageOf } from '../../config/error-message.ts'
import type { Check } from './check.ts'

export const mailServer: Check = {
  name: 'mail',
  description: 'the mail server of SMTP_URL accepts the connection, TLS and the password; no email is sent',
  async run({ config: { smtpUrl } }) {
    if (smtpUrl === undefined) return []
    const { verifyMailServer } = await import('../../mail/smtp.ts')
    try {
      await verifyMailServer(smtpUrl)
      return []
    } catch (error) {
      const { host } = new URL(smtpUrl)
      return [{ problem: `the mail server ${host} cannot be used: ${messageOf(error)}`, action: 'check SMTP_URL and the firewall' }]
    }
  },
}
