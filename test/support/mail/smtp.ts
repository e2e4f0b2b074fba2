import type { Server } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { listenAt, reservePort } from '../processes/port.ts'

/** A real SMTP server and the mails that it accepted. */
export interface MailServer {
  /** The value of SMTP_URL. */
  url: string
  port: number
  /** Parsed, oldest first. */
  mails: Email[]
  /** Unparsed, oldest first. */
  sources: string[]
  close(): Promise<void>
}

interface MailServerOptions {
  /** Default: a free port. */
  port?: number
  /** Whether the server offers SMTPUTF8 (RFC 6531). Default: true. */
  offersSmtpUtf8?: boolean
  /** Runs before a recipient is accepted. Throws a `rejection` to reject the recipient. */
  onRecipient?: (address: string) => void
  /** Runs before a mail is accepted. Throws a `rejection` to reject the mail. */
  onMail?: (source: string) => void | Promise<void>
}

/** An error that rejects a recipient or a mail with an SMTP reply code. */
export const rejection = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** A mail server for all tests of a file. Its URL is known before it starts in `beforeAll`. */
export function useMailServer(options: MailServerOptions = {}): MailServer {
  const { listen, ...server } = createMailServer(options)
  beforeAll(listen)
  afterAll(server.close)
  return server
}

/** Starts a mail server within a test. It stops when the test ends. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { listen, ...server } = createMailServer(options)
  onTestFinished(server.close)
  await listen()
  return server
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Creates a mail server for a program that is not a test. `listen` starts it. */
export function createMailServer({
  port: requestedPort,
  offersSmtpUtf8 = true,
  onRecipient,
  onMail,
}: MailServerOptions): MailServer & { listen(): Promise<void> } {
  const { port, listen } =
    requestedPort === undefined ? reservePort() : { port: requestedPort, listen: (server: Server) => listenAt(requestedPort, server) }
  const mails: Email[] = []
  const sources: string[] = []
  const accept = async (source: string) => {
    await onMail?.(source)
    sources.push(source)
    mails.push(await PostalMime.parse(source))
  }
  const receive = async (stream: Readable, callback: (error?: Error) => void) => {
    try {
      await accept(await text(stream))
    } catch (error) {
      callback(asError(error))
      return
    }
    callback()
  }
  const server = new SMTPServer({
    authOptional: true,
    hideSMTPUTF8: !offersSmtpUtf8,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onRcptTo({ address }, _, callback) {
      try {
        onRecipient?.(address)
        callback()
      } catch (error) {
        callback(asError(error))
      }
    },
    onData: (stream, _, callback) => void receive(stream, callback),
  })
  // Killed client processes reset their connections, which is expected.
  server.on('error', () => {})
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `smtp://127.0.0.1:${port}`, port, mails, sources, listen: () => listen(server.server), close }
}
