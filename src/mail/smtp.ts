import { createTransport } from 'nodemailer'
import type { Transport } from './message.ts'

// Every step of a delivery is bounded, and the whole of it stays below the time after which the outbox takes a job
// for abandoned: a server that hangs costs one attempt, never a mail sent by two workers at once.
const patience = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
const sendingMilliseconds = 90_000

/** Sends through the mail server at `smtpUrl`. Neither files nor addresses are ever read into a mail. */
export function smtpTransport(smtpUrl: string, from: string): Transport {
  const transporter = createTransport({ url: smtpUrl, ...patience, disableFileAccess: true, disableUrlAccess: true })
  return {
    async send({ to, subject, text, html, messageId, date }) {
      const mail = {
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${messageId}>`,
        date,
        // RFC 3834: no machine answers, no "out of office".
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(sendingMilliseconds),
      }
      await transporter.sendMail(mail)
    },
    close: () => transporter.close(),
  }
}

/**
 * Whether the mail server has refused this very mail for good: 5xx to its recipient or its content. Refused
 * credentials or senders are settings that an operator mends, and the mail may well leave afterwards.
 */
export function isRefusedForGood(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, command, responseCode } = error as { code?: unknown; command?: unknown; responseCode?: unknown }
  if (command === 'API' && code === 'EENVELOPE') return true
  return (command === 'RCPT TO' || command === 'DATA') && typeof responseCode === 'number' && responseCode >= 500
}
