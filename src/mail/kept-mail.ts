import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { sha256 } from '../../schema/secret.ts'
import { makeDataFolder } from '../data-folder.ts'
import { hasCode } from '../failure.ts'
import type { Message, Transport } from './message.ts'

/** A mail that was kept instead of sent. */
export interface KeptMail extends Omit<Message, 'date'> {
  id: string
  from: string
  /** RFC 3339. */
  date: string
}

const namePattern = /^(\d{8}T\d{9}Z-[0-9a-f]{12})\.json$/
const mostListed = 200

/** The folder of kept mails in the data folder. */
export const mailFolder = (dataDir: string): string => path.join(dataDir, 'mail')

/**
 * Keeps mails as files, for a service without a mail server. They hold links that work: folder and files are for their
 * owner alone. A mail that comes twice is kept once.
 */
export function keepingTransport(dataDir: string, from: string): Transport {
  const folder = mailFolder(dataDir)
  return {
    async send(message) {
      makeDataFolder(dataDir)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const id = `${message.date.toISOString().replace(/[-:.]/g, '')}-${sha256(message.messageId).toString('hex').slice(0, 12)}`
      await writeWhole(path.join(folder, `${id}.json`), `${JSON.stringify({ id, from, ...message }, null, 2)}\n`)
    },
    close() {},
  }
}

/** Written and synced under another name first: who reads finds a whole mail or none. */
async function writeWhole(file: string, text: string): Promise<void> {
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

/** The kept mails, newest first, at most 200. */
export async function listKeptMails(folder: string): Promise<KeptMail[]> {
  const names = await readdir(folder).catch(nothingThere([]))
  const ids = names.flatMap((name) => namePattern.exec(name)?.[1] ?? [])
  const mails = await Promise.all(
    ids
      .toSorted()
      .toReversed()
      .slice(0, mostListed)
      .map((id) => readKeptMail(folder, id)),
  )
  return mails.filter((mail) => mail !== null)
}

/** One kept mail; null where `id` names none. */
export async function readKeptMail(folder: string, id: string): Promise<KeptMail | null> {
  const name = `${id}.json`
  // Nothing but a name of our own is ever made a path.
  if (!namePattern.test(name)) return null
  const text = await readFile(path.join(folder, name), 'utf8').catch(nothingThere(null))
  return text === null ? null : (JSON.parse(text) as KeptMail)
}

const nothingThere =
  <Nothing>(nothing: Nothing) =>
  (error: unknown): Nothing => {
    if (hasCode(error, 'ENOENT')) return nothing
    throw error
  }
