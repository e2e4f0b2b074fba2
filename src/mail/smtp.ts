import { createTransport } from 'nodemailer'
import { logoId } from './message.ts'
import type { Transport } from './message.ts'

// Timeouts of the steps of a delivery. Their total is shorter than the time after which the outbox considers a job abandoned. A server that
// hangs costs one attempt, and two workers never send the same mail at the same time.
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
const sendMilliseconds = 90_000

/** Creates a transport through the mail server at `smtpUrl`. nodemailer may not read files or URLs into a mail. */
export function smtpTransport(smtpUrl: string, from: string): Transport {
  const transporter = createTransport({ url: smtpUrl, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  return {
    async send({ to, subject, text, html, logo, messageId, date }) {
      const signal = AbortSignal.timeout(sendMilliseconds)
      await refuseUnsupportedAddress(smtpUrl, from, to, signal)
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
        signal,
      }
      await transporter.sendMail(mail)
    },
    close: () => transporter.close(),
  }
}

/**
 * Throws if the sender or the recipient has characters beyond ASCII before the @ and the mail server does not offer SMTPUTF8. Such an
 * address must not be sent to it (RFC 6531 §3.2), and nodemailer would. The rest of an address is a domain, which has a form in ASCII. The
 * check costs a connection, so it runs only for these addresses.
 */
async function refuseUnsupportedAddress(smtpUrl: string, from: string, to: string, signal: AbortSignal): Promise<void> {
  const [isSender, isRecipient] = [needsSmtpUtf8(from), needsSmtpUtf8(to)]
  if (!isSender && !isRecipient) return
  const expired = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => expired.reject(signal.reason))
  const { offersSmtpUtf8 } = await Promise.race([verifyMailServer(smtpUrl), expired.promise])
  if (offersSmtpUtf8) return
  const reason = 'has characters beyond ASCII before the @, and the mail server does not support such addresses (SMTPUTF8, RFC 6531)'
  // An operator can correct the sender, so the mail is tried again.
  if (isSender) throw new Error(`MAIL_FROM ${reason}`)
  throw new UndeliverableError(`the address of the recipient ${reason}`)
}

/** Returns true if an address, alone or as `Name <address>`, has characters beyond ASCII before the @. */
export const needsSmtpUtf8 = (address: string): boolean => /[^\p{ASCII}][^<]*@[^<]*$/u.test(address)

/** The mail server will never accept a mail for this recipient. */
class UndeliverableError extends Error {}

/**
 * Connects to the mail server (greeting, TLS, password) without sending. Rejects with the error of the failing step. Returns true if the
 * server accepts addresses with characters beyond ASCII before the @.
 */
export async function verifyMailServer(smtpUrl: string): Promise<{ offersSmtpUtf8: boolean }> {
  let offersSmtpUtf8 = false
  // Reads a reply in the log, the only place in which nodemailer shows the extensions of the server.
  const readReply = ({ tnx }: { tnx?: string }, text: string) => {
    if (tnx === 'server' && /^250[ -]SMTPUTF8\b/im.test(text)) offersSmtpUtf8 = true
  }
  const transporter = createTransport({ url: smtpUrl, ...timeouts, debug: true, logger: { debug: readReply } })
  try {
    await transporter.verify()
    return { offersSmtpUtf8 }
  } finally {
    transporter.close()
  }
}

/**
 * Returns true if the mail server rejected this mail permanently, with a 5xx reply to its recipient or content. Rejected credentials or
 * senders do not count: an operator can correct these settings and the mail can then be sent.
 */
export function isRejectedPermanently(error: unknown): boolean {
  if (error instanceof UndeliverableError) return true
  if (typeof error !== 'object' || error === null) return false
  const { code, command, responseCode }: { code?: unknown; command?: unknown; responseCode?: unknown } = error
  if (command === 'API' && code === 'EENVELOPE') return true
  return (command === 'RCPT TO' || command === 'DATA') && typeof responseCode === 'number' && responseCode >= 500
}
