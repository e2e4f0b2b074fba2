import { sha256 } from '../../schema/secret.ts'

/** Of what tells a mail from every other: the same however often it is sent. */
export const messageId = (authUrl: string, ...parts: string[]): string =>
  `${sha256(parts.join('.')).toString('hex').slice(0, 40)}@${new URL(authUrl).hostname.replace(/^\[(.*)\]$/, '$1')}`
