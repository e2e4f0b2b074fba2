import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../schema/core/sha256.ts'
import { makeDataFolder } from '../config/data-folder.ts'
import { hasCode } from '../config/error-message.ts'
import { logoId } from './message.ts'
import type { Transport } from './message.ts'

const storedMail = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  messageId: z.string(),
  /** An RFC 3339 timestamp. */
  date: z.string(),
})

/** A mail that was stored instead of sent. */
export type StoredMail = z.output<typeof storedMail>

const namePattern = /^(\d{8}T\d{9}Z-[0-9a-f]{12})\.json$/
const maxListed = 200

/** Returns the folder of stored mails in the data folder. */
export const mailFolder = (dataDir: string): string => path.join(dataDir, 'mail')

/**
 * Stores mails as files, for a service without a mail server. They contain valid links, so only the owner can read the folder and its
 * files. A mail that is sent twice is stored once.
 */
export function fileTransport(dataDir: string, from: string): Transport {
  const folder = mailFolder(dataDir)
  return {
    async send({ logo, ...message }) {
      makeDataFolder(dataDir)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const id = `${message.date.toISOString().replace(/[-:.]/g, '')}-${sha256(message.messageId).toString('hex').slice(0, 12)}`
      await writeAtomically(
        path.join(folder, `${id}.json`),
        `${JSON.stringify({ id, from, ...message, html: withLogo(message.html, logo) }, null, 2)}\n`,
      )
    },
    close() {},
  }
}

/** A file has no attachments: the image becomes part of the HTML. */
const withLogo = (html: string, logo: Buffer | undefined) =>
  logo ? html.replace(`cid:${logoId}`, `data:image/png;base64,${logo.toString('base64')}`) : html

/** Writes and syncs a temporary file before renaming it, so that a reader finds a complete mail or none. */
async function writeAtomically(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Returns the stored mails, newest first, at most `maxListed`. */
export async function listStoredMails(folder: string): Promise<StoredMail[]> {
  const names = await readdir(folder).catch(ifMissing([]))
  const ids = names.flatMap((name) => namePattern.exec(name)?.[1] ?? [])
  const mails = await Promise.all(
    ids
      .toSorted()
      .toReversed()
      .slice(0, maxListed)
      .map((id) => readStoredMail(folder, id)),
  )
  return mails.filter((mail) => mail !== null)
}

/** Returns one stored mail; null if there is none with this id. */
export async function readStoredMail(folder: string, id: string): Promise<StoredMail | null> {
  const name = `${id}.json`
  // Prevents path traversal: only generated names become part of a path.
  if (!namePattern.test(name)) return null
  const text = await readFile(path.join(folder, name), 'utf8').catch(ifMissing(null))
  return text === null ? null : storedMail.parse(JSON.parse(text))
}

/** Handles a missing file or folder by returning `value`; rethrows other errors. */
const ifMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (hasCode(error, 'ENOENT')) return value
    throw error
  }
