import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync } from 'node:fs'

/**
 * Makes the data folder if need be and answers its real path. A normal user keeps it to themselves; as root it
 * must let pass, not read, the user that PostgreSQL runs as.
 */
export function makeDataFolder(dataFolder: string): string {
  mkdirSync(dataFolder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  return realpathSync(dataFolder)
}

/** Makes names that were created, linked or renamed in `folder` survive power loss. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
