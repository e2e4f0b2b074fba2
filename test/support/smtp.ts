import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real mail server on a real port, and the mails it took. */
export interface MailServer {
  /** For SMTP_URL. */
  url: string
  port: number
  /** Parsed, oldest first. */
  mails: Email[]
  /** As they came, oldest first. */
  sources: string[]
  close(): Promise<void>
}

interface Behaviour {
  /** 0 takes any free port. */
  port?: number
  /** Answers a recipient; throws a refusal. */
  onRecipient?: (address: string) => void
  /** Runs before a mail is taken; throws a refusal. */
  onMail?: (source: string) => void | Promise<void>
}

/** Refuses with a reply code of SMTP. */
export const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

export async function startMailServer({ port = 0, onRecipient, onMail }: Behaviour = {}): Promise<MailServer> {
  const mails: Email[] = []
  const sources: string[] = []
  const take = async (source: string) => {
    await onMail?.(source)
    sources.push(source)
    mails.push(await PostalMime.parse(source))
  }
  const receive = async (stream: Readable, callback: (error?: Error) => void) => {
    try {
      await take(await text(stream))
    } catch (error) {
      callback(error as Error)
      return
    }
    callback()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onRcptTo({ address }, _, callback) {
      try {
        onRecipient?.(address)
        callback()
      } catch (error) {
        callback(error as Error)
      }
    },
    onData: (stream, _, callback) => void receive(stream, callback),
  })
  // A client that is killed resets its connection.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  const taken = (server.server.address() as AddressInfo).port
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `smtp://127.0.0.1:${taken}`, port: taken, mails, sources, close }
}
