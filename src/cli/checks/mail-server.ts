import { messageOf } from '../../config/error-message.ts'
import type { Check } from './check.ts'

export const mailServerCheck: Check = {
  name: 'mail',
  description:
    'the mail server of SMTP_URL accepts the connection, TLS and the password, and the characters of MAIL_FROM; no email is sent',
  async run({ config: { smtpUrl, mailFrom } }) {
    if (smtpUrl === undefined) return []
    const { needsSmtpUtf8, verifyMailServer } = await import('../../mail/smtp.ts')
    const { host } = new URL(smtpUrl)
    try {
      const { offersSmtpUtf8 } = await verifyMailServer(smtpUrl)
      if (offersSmtpUtf8 || !needsSmtpUtf8(mailFrom)) return []
      const problem = `the mail server ${host} does not support the characters of MAIL_FROM before the @ (SMTPUTF8, RFC 6531)`
      return [{ problem, action: 'set MAIL_FROM to an address in ASCII, or use a mail server that supports others' }]
    } catch (error) {
      return [{ problem: `the mail server ${host} cannot be used: ${messageOf(error)}`, action: 'check SMTP_URL and the firewall' }]
    }
  },
}
