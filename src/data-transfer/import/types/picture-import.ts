import type { ClientBase } from 'pg'
import { encodePicture, keepEncoded, RefusedPicture } from '../../../../schema/pictures/encode-picture.ts'
import type { EncodedPicture, Fit } from '../../../../schema/pictures/encode-picture.ts'
import { newPictureId } from '../../../../schema/pictures/stored-picture.ts'
import type { Row } from '../../records/storage.ts'
import type { Entry, Resolved } from '../chunk.ts'
import type { LineError } from '../parse-record.ts'
import type { Written } from '../upsert.ts'

/** Storage of the pictures of one type of record: the table and its column, and the member and key of the record. */
interface PictureKind {
  member: 'picture' | 'logo'
  fit: Fit
  key: string
  table: 'users' | 'teams'
  column: 'picture_id' | 'logo_id'
  owner: 'user_id' | 'team_id'
}
const kinds = {
  user: { member: 'picture', fit: 'cover', key: 'email', table: 'users', column: 'picture_id', owner: 'user_id' },
  team: { member: 'logo', fit: 'contain', key: 'slug', table: 'teams', column: 'logo_id', owner: 'team_id' },
} as const satisfies Record<string, PictureKind>
type Name = keyof typeof kinds

/** New pictures by the line of their record. */
export type NewPictures = ReadonlyMap<number, EncodedPicture>

const getValue = (record: Readonly<Record<string, unknown>>, name: string) => {
  const value = record[name]
  return typeof value === 'string' ? value : undefined
}

/** Encodes the pictures of records that differ from the stored ones. Reports records with another file, and returns the others. */
export async function readPictures<Each extends Name>(
  session: ClientBase,
  name: Each,
  entries: readonly Entry<Each>[],
  refuse: (wrong: Pick<LineError, 'line' | 'member' | 'message'>, record: Entry<Each>['record']) => void,
): Promise<{ entries: readonly Entry<Each>[]; pictures: NewPictures }> {
  const { member, fit, key, table, owner }: PictureKind = kinds[name]
  const withPicture = entries.filter(({ record }) => getValue(record, member) !== undefined)
  if (withPicture.length === 0) return { entries, pictures: new Map() }
  const { rows } = await session.query<{ key: string; large: Buffer }>(
    `SELECT e.${key} AS key, p.large FROM ${table} e JOIN pictures p ON p.${owner} = e.id WHERE e.${key} = ANY ($1)`,
    [withPicture.map(({ record }) => getValue(record, key))],
  )
  const stored = new Map(rows.map(({ key, large }) => [key, large]))
  const pictures = new Map<number, EncodedPicture>()
  const wrong = new Set<number>()
  for (const { line, record } of withPicture) {
    const before = stored.get(getValue(record, key) ?? '')
    const file = Buffer.from(getValue(record, member) ?? '', 'base64')
    if (before?.equals(file)) continue
    try {
      const picture = (await keepEncoded(file)) ?? (await encodePicture(file, fit))
      if (!before?.equals(picture.large)) pictures.set(line, picture)
    } catch (error) {
      if (!(error instanceof RefusedPicture)) throw error
      wrong.add(line)
      refuse({ line, member, message: error.message.replace(':attribute', member) }, record)
    }
  }
  return { entries: entries.filter(({ line }) => !wrong.has(line)), pictures }
}

/** Returns a function that writes records together with their new pictures. */
export function withPictures<Each extends Name>(
  name: Each,
  pictures: NewPictures,
  write: (session: ClientBase, entries: readonly Resolved<Each>[], withBefore: boolean) => Promise<Written[]>,
) {
  const { key, table, column, owner }: PictureKind = kinds[name]
  const setPicture = `UPDATE ${table} e SET ${column} = $2, updated_at = now() FROM (SELECT * FROM ${table} WHERE ${key} = $1) o
    WHERE e.id = o.id RETURNING e.id, to_jsonb(o) AS before`
  return async (session: ClientBase, entries: readonly Resolved<Each>[], withBefore: boolean): Promise<Written[]> => {
    const written = await write(session, entries, withBefore)
    const writtenNumbers = new Set(written.map(({ n }) => n))
    for (const [n, entry] of entries.entries()) {
      const picture = pictures.get(entry.line)
      if (!picture) continue
      const newId = newPictureId()
      const { rows } = await session.query<{ id: string; before: Row }>(setPicture, [getValue(entry.record, key), newId])
      const [changed] = rows
      if (!changed) throw new Error('a record that was written has no row')
      await session.query(`DELETE FROM pictures WHERE ${owner} = $1`, [changed.id])
      const values = [newId, changed.id, picture.large, picture.small]
      await session.query(`INSERT INTO pictures (id, ${owner}, large, small) VALUES ($1, $2, $3, $4)`, values)
      // The row is changed for the event.
      entry.row = { ...entry.row, [column]: newId }
      if (!writtenNumbers.has(n)) written.push({ n, created: false, ...changed })
    }
    return written
  }
}
