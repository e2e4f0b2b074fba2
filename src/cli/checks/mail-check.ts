import { getErrorMessage } from '../../config/error-message.ts'
import { queueSchema } from '../../jobs/queue.ts'
import type { Check, CheckProblem } from './check.ts'

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
      return [{ problem: `the mail server ${host} cannot be used: ${getErrorMessage(error)}`, action: 'check SMTP_URL and the firewall' }]
    }
  },
}

const maxWaitMinutes = 15

export const queueCheck: Check = {
  name: 'queue',
  description: `no email has failed permanently or has waited for more than ${maxWaitMinutes} minutes`,
  async run({ session }) {
    const { rows: tables } = await session.query(`SELECT to_regclass('${queueSchema}.job') AS oid`)
    if (tables[0]?.oid === null) return []
    const { rows } = await session.query<{ failed: number; waiting: number }>(
      `SELECT count(*) FILTER (WHERE state = 'failed')::int AS failed,
         count(*) FILTER (WHERE state < 'active' AND created_on < now() - interval '${maxWaitMinutes} minutes')::int AS waiting
       FROM ${queueSchema}.job`,
    )
    const { failed = 0, waiting = 0 } = rows[0] ?? {}
    const problems: CheckProblem[] = []
    if (failed > 0)
      problems.push({ problem: `${formatCount(failed)} failed`, action: 'see mail list --state failed, and then mail retry ID' })
    if (waiting > 0)
      problems.push({
        problem: `${formatCount(waiting)} waited for more than ${maxWaitMinutes} minutes`,
        action:
          'see the errors of mail list --state pending; without errors, start the service or look for errors of the job queue in its log',
      })
    return problems
  },
}

const formatCount = (emails: number) => (emails === 1 ? '1 email has' : `${emails} emails have`)
