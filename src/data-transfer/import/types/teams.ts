import type { ClientBase } from 'pg'
import { teamRecord } from '../../records/types/team.ts'
import type { Entry } from '../chunk.ts'
import type { Report } from '../report.ts'

/**
 * Reports records that would delete or restore an existing team, and returns the others. An old file must not do either, because the
 * cleanup erases a team that was deleted long ago.
 */
export async function refuseChangedDeletions(
  session: ClientBase,
  entries: readonly Entry<'team'>[],
  report: Report,
): Promise<readonly Entry<'team'>[]> {
  if (entries.length === 0) return entries
  const { rows } = await session.query<{ slug: string; deletedAt: Date | null }>(
    'SELECT slug, deleted_at AS "deletedAt" FROM teams WHERE slug = ANY ($1)',
    [entries.map(({ record }) => record.slug)],
  )
  const existing = new Map(rows.map(({ slug, deletedAt }) => [slug, deletedAt?.getTime()]))
  return entries.filter(({ line, record }) => {
    const isSame = !existing.has(record.slug) || existing.get(record.slug) === instantOf(record.deleted_at)
    const message = 'An import neither deletes nor restores a team.'
    if (!isSame) report.refuse({ line, subject: teamRecord.subjectOf(record), member: 'deleted_at', message })
    return isSame
  })
}

const instantOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text).getTime())
