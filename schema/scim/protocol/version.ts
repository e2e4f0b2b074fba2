import { createHash } from 'node:crypto'

/** The version of a resource: it changes with everything that its representation contains. */
export const versionOf = (resource: object): string =>
  createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)
