import { createTransport } from 'nodemailer'
import { logoId } from './message.ts'
import type { Transport } from './message.ts'

// Each step of a delivery has a timeout, and the total is shorter than the time after which the outbox considers a job
// abandoned. A server that hangs costs one attempt, and two workers never send the same mail at the same time.
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
const sendMilliseconds = 90_000

/** Sends through the mail server at `smtpUrl`. nodemailer may not read files or URLs into a mail. */
export function smtpTransport(smtpUrl: string, from: string): Transport {
  const transporter = createTransport({ url: smtpUrl, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  return {
    async send({ to, subject, text, html, logo, messageId, date }) {
      const mail = {
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        ...(logo && { attachments: [{ cid: logoId, content: logo, contentType: 'image/png', contentDisposition: 'inline' as const }] }),
        messageId: `<${messageId}>`,
        date,
        // RFC 3834: prevents automatic replies such as "out of office".
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(sendMilliseconds),
      }
      await transporter.sendMail(mail)
    },
    close: () => transporter.close(),
  }
}

/** Connects to the mail server (greeting, TLS, password) without sending. Rejects with the error of the failing step. */
export async function verifyMailServer(smtpUrl: string): Promise<void> {
  const transporter = createTransport({ url: smtpUrl, ...timeouts })
  try {
    await transporter.verify()
  } finally {
    transporter.close()
  }
}

/**
 * Whether the mail server rejected this mail permanently, with a 5xx reply to its recipient or content. Rejected
 * credentials or senders do not count: an operator can correct these settings and the mail can then be sent.
 */
export function isRejectedPermanently(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, command, responseCode }: { code?: unknown; command?: unknown; responseCode?: unknown } = error
  if (command === 'API' && code === 'EENVELOPE') return true
  return (command === 'RCPT TO' || command === 'DATA') && typeof responseCode === 'number' && responseCode >= 500
}
