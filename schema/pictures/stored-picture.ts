import { randomBytes } from 'node:crypto'
import { statement } from '../../prisma/statement/statement.ts'
import type { Executor } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow } from '../../prisma/statement/write-row.ts'
import { refused, text } from '../core/validation.ts'
import { maxFileBytes, RefusedPicture } from './encode-picture.ts'
import { encodeApart } from './encoder.ts'
import type { EncodedPicture, Fit } from './encode-picture.ts'

/** The part of the descriptions of input fields about the accepted file. */
export const acceptedPicture =
  'a JPEG, PNG or WebP file in base64, of at most 5 MB and 25 megapixels; null removes it. The service stores it anew as WebP, without metadata.'

/** The rule of an input field with a file in base64. */
export const pictureFile = text.nullish()

/** A picture that will be stored, with its new identifier. */
export interface NewPicture extends EncodedPicture {
  id: string
}

export const newPictureId = () => randomBytes(16).toString('base64url')

/**
 * Encodes the file of an input field. Returns null and undefined unchanged: null removes the picture, undefined keeps it. Throws
 * `validation_failed`. Call it before the transaction, because it is slow.
 */
export async function readPicture<Absent extends null | undefined>(
  field: string,
  base64: string | Absent,
  fit: Fit,
): Promise<NewPicture | Absent> {
  if (base64 === null || base64 === undefined) return base64
  try {
    // One byte more than allowed suffices to refuse a file.
    const file = Buffer.from(base64.slice(0, Math.ceil((maxFileBytes + 1) / 3) * 4), 'base64')
    return { id: newPictureId(), ...(await encodeApart(file, fit)) }
  } catch (error) {
    if (error instanceof RefusedPicture) throw refused({ [field]: [error.message] })
    throw error
  }
}

/** The user or team that has the picture. */
type Owner = { userId: string } | { teamId: string }

const deleteOfUser = statement<object, [userId: string]>('delete_picture', 'DELETE FROM pictures WHERE user_id = $1')
const deleteOfTeam = statement<object, [teamId: string]>('delete_logo', 'DELETE FROM pictures WHERE team_id = $1')

/**
 * Replaces the picture of a user or team, whose row is locked, with the commit. The caller writes the identifier to that row. Undefined
 * keeps the picture, null removes it.
 */
export function storePicture(transaction: Transaction, owner: Owner, picture: NewPicture | null | undefined, createdAt: Date): void {
  if (picture === undefined) return
  transaction.defer('userId' in owner ? deleteOfUser(transaction, owner.userId) : deleteOfTeam(transaction, owner.teamId))
  if (picture === null) return
  const { id, large, small } = picture
  const files = { large: new Uint8Array(large), small: new Uint8Array(small) }
  transaction.defer(insertRow(transaction, 'pictures', { ...owner, id, ...files, createdAt }))
}

// The condition excludes pictures of users and teams that are deleted but not erased yet, which no page shows.
const readable = `p.id = $1 AND NOT EXISTS (SELECT FROM users u WHERE u.id = p.user_id AND u.deletion_requested_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM teams t WHERE t.id = p.team_id AND t.deleted_at IS NOT NULL)`
const getFile = (size: 'large' | 'small') =>
  statement<{ file: string }, [id: string]>(
    `${size}_picture`,
    `SELECT encode(p.${size}, 'base64') AS file FROM pictures p WHERE ${readable}`,
  )
const files = { large: getFile('large'), small: getFile('small') }

/** Reads a file of a picture; null if there is none. */
export async function findPictureFile(executor: Executor, id: string, size: 'large' | 'small'): Promise<Buffer | null> {
  const [row] = await files[size](executor, id)
  return row ? Buffer.from(row.file, 'base64') : null
}
