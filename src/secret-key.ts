import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Ports } from '../schema/context.ts'
import { makeDataFolder, syncFolder } from './data-folder.ts'
import { hasCode } from './failure.ts'

/**
 * The key of a service that was given none: made on first use in the data folder, mode 0600, and the same ever
 * after. What was encrypted or derived under it is lost with it, so it must be whole, or not be there.
 */
export function keptSecretKey(dataFolder: string): string {
  const folder = makeDataFolder(dataFolder)
  const file = path.join(folder, 'secret-key')
  return read(file) ?? make(folder, file)
}

function read(file: string): string | undefined {
  try {
    const key = readFileSync(file, 'utf8').trim()
    if (key.length >= 32) return key
    throw new Error(`${file} holds no key of 32 characters: restore it, or give SECRET_KEY`)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Written whole and synced under another name; the link then gives it its own, unless another process was faster. */
function make(folder: string, file: string): string {
  const draft = path.join(folder, `secret-key-${randomUUID()}`)
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      writeSync(descriptor, `${randomBytes(32).toString('base64url')}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    linkSync(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(folder)
  return readFileSync(file, 'utf8').trim()
}

/** Secrets that are derived instead of stored: HMAC-SHA-256 under SECRET_KEY, one key space a purpose. */
export const secretDeriver =
  (secretKey: string): Ports['deriveSecret'] =>
  (purpose, data) =>
    createHmac('sha256', secretKey).update(purpose).update('\0').update(data).digest()
