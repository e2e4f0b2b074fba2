import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../core/context.ts'
import { refused } from '../core/validation.ts'

/** The position of a row in an order: the values of its keys as text, and its identifier. */
export interface Position {
  values: (string | null)[]
  id: string
}

/** The cursors of a list in one order and with certain filters. */
export interface Cursors {
  encode(position: Position): string
  /** Returns the position of a cursor in the argument `name`. Throws `validation_failed` if `encode` did not create the cursor. */
  decode(name: string, cursor: string): Position
}

const macBytes = 12

/**
 * Creates the cursors of a list. A cursor is the position with a message authentication code over it and `list`, which identifies the list,
 * its owner, its order and its filters. A cursor that was changed, or belongs to another list, is therefore refused before PostgreSQL reads
 * a value from it. It is opaque to clients, but not secret.
 */
export function createCursors({ deriveSecret }: Pick<Context, 'deriveSecret'>, list: string): Cursors {
  const keyed = (position: Buffer) => ['list cursor', Buffer.concat([Buffer.from(list), position])] as const
  return {
    encode({ values, id }) {
      const position = Buffer.from(JSON.stringify([...values, id]))
      return Buffer.concat([deriveSecret(...keyed(position)).subarray(0, macBytes), position]).toString('base64url')
    },
    decode(name, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      // Node ignores characters that are not part of base64url.
      const isCanonical = bytes.toString('base64url') === cursor
      const position = bytes.subarray(macBytes)
      const isOurs = (mac: Buffer) => timingSafeEqual(bytes.subarray(0, macBytes), mac.subarray(0, macBytes))
      if (!isCanonical || bytes.length <= macBytes || !deriveSecret.accepted(...keyed(position)).some(isOurs))
        throw refused({ [name]: ['The :attribute field must be a cursor of this list with the same order and filters.'] })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` wrote it
      const values = JSON.parse(position.toString()) as (string | null)[]
      return { id: values.pop() ?? '', values }
    },
  }
}
