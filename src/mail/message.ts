import { sha256 } from '../../schema/core/sha256.ts'

/** The Content-ID of the logo, which is attached to the mail. */
export const logoId = 'logo'

/** A mail that is ready to be sent. */
export interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** A PNG that the HTML shows as `cid:logo`. */
  logo?: Buffer | undefined
  /** Message-ID without angle brackets. It is the same for every attempt, so that recipients can detect a duplicate. */
  messageId: string
  /** Time at which the mail was requested. */
  date: Date
}

/** A transport for mails. `send` throws unless it is certain that the mail was accepted. */
export interface Transport {
  send(message: Message): Promise<void>
  close(): void
}

/** Returns a Message-ID derived from `parts`, which identify the mail. */
export const messageId = (authUrl: string, ...parts: string[]): string =>
  `${sha256(parts.join('.')).toString('hex').slice(0, 40)}@${new URL(authUrl).hostname.replace(/^\[(.*)\]$/, '$1')}`
