import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { DeriveSecret } from '../../schema/core/ports.ts'
import { makeDataFolder, nameDataFolder, syncFolder } from './data-folder.ts'
import { hasCode } from './error-message.ts'

/**
 * Returns the secret key stored in the data folder, for a service without SECRET_KEY. Creates it if there is none, with
 * mode 0600. Without this key, everything that was encrypted with it is lost.
 */
export function loadSecretKey(dataFolder: string): string {
  return readSecretKey(dataFolder) ?? storeSecretKey(dataFolder, randomBytes(32).toString('base64url'))
}

/** Returns the secret key stored in the data folder, or undefined if there is none. */
export function readSecretKey(dataFolder: string): string | undefined {
  const file = path.join(dataFolder, 'secret-key')
  try {
    const key = readFileSync(file, 'utf8').trim()
    if (key.length >= 32) return key
    throw new Error(`${file} does not contain a key of at least 32 characters: restore it, or set SECRET_KEY`)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw nameDataFolder(dataFolder, error)
  }
}

/**
 * Stores a secret key in the data folder and returns the key in the folder, which is an earlier one if there was one. Writes and syncs a
 * draft, then links it to the final name. A crash leaves no partial key, and `link` fails if another process has created one.
 */
export function storeSecretKey(dataFolder: string, key: string): string {
  const folder = makeDataFolder(dataFolder)
  const file = path.join(folder, 'secret-key')
  const draft = path.join(folder, `secret-key-${randomUUID()}`)
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      writeSync(descriptor, `${key}\n`)
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

/**
 * Returns a function that derives secrets from the key by HMAC-SHA-256. Different purposes give unrelated secrets. `previous` is the key
 * before a rotation (docs/operations/rotate-keys.md#secret_key).
 */
export function secretDeriver(secretKey: string, previous?: string): DeriveSecret {
  const derive = (key: KeyObject, purpose: string, data: Uint8Array) =>
    createHmac('sha256', key).update(purpose).update('\0').update(data).digest()
  const current = createSecretKey(secretKey, 'utf8')
  const keys = previous === undefined ? [current] : [current, createSecretKey(previous, 'utf8')]
  return Object.assign((purpose: string, data: Uint8Array) => derive(current, purpose, data), {
    accepted: (purpose: string, data: Uint8Array) => keys.map((key) => derive(key, purpose, data)),
  })
}

/** Returns a deriver that reads SECRET_KEY on first use, for a caller that may not need it. */
export function lazyDeriver(create: () => DeriveSecret): DeriveSecret {
  let created: DeriveSecret | undefined
  const deriver = () => (created ??= create())
  return Object.assign((purpose: string, data: Uint8Array) => deriver()(purpose, data), {
    accepted: (purpose: string, data: Uint8Array) => deriver().accepted(purpose, data),
  })
}
