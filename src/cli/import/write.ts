import type { ClientBase } from 'pg'
import type { Chunk, Entry } from './chunk.ts'
import { writeClients } from './clients.ts'
import { writeInvoices } from './invoice-lines.ts'
import type { Owners } from './owners.ts'
import { subjectOf } from './parse-record.ts'
import { hashToStore } from './password.ts'
import type { Report } from './report.ts'
import { appRow, teamRow, tokenRow, upsertApps, upsertTeams, upsertTokens, upsertUsers, userRow } from './tables.ts'

/** Writes a chunk, a few statements for each type it holds; a record that refers to nothing is reported instead. */
export async function writeChunk(session: ClientBase, { entries }: Chunk, owners: Owners, report: Report): Promise<void> {
  report.note('user', entries.user.length, await upsertUsers(session, await userRows(session, entries.user)))
  const teamRows = entries.team.map(({ record }) => teamRow(record))
  report.note('team', teamRows.length, await upsertTeams(session, teamRows))

  const named = [...entries.member, ...entries.app, ...entries.invoice, ...entries.token].map(({ record }) => record)
  const teams = await identifiers(session, 'SELECT slug AS key, id FROM teams WHERE slug = ANY ($1)', [
    ...named.map(({ team }) => team),
    ...entries.token.flatMap(({ record }) => record.cut_teams ?? []),
  ])
  const people = [...entries.member, ...entries.token].map(({ record }) => record.user)
  const users = await identifiers(session, 'SELECT email AS key, id FROM users WHERE email = ANY ($1)', people)

  /** The records whose team and user are there, with the identifiers of these. */
  const resolve = <Type extends 'member' | 'app' | 'invoice' | 'token'>(list: readonly Entry<Type>[]) =>
    list.flatMap(({ line, record }) => {
      const { team, user }: { team?: string | undefined; user?: string | undefined } = record
      const [teamId, userId] = [teams.get(team ?? ''), users.get(user ?? '')]
      const subject = subjectOf(record)
      if (team !== undefined && teamId === undefined) report.refuse({ line, subject, member: 'team', message: `There is no team ${team}.` })
      else if (user !== undefined && userId === undefined)
        report.refuse({ line, subject, member: 'user', message: `There is no user ${user}.` })
      else return [{ line, record, teamId, userId }]
      return []
    })

  const members = resolve(entries.member).flatMap(withTeam).flatMap(withUser)
  report.note('member', members.length, await owners.write(session, members))
  const appRows = resolve(entries.app)
    .flatMap(withTeam)
    .map(({ record, teamId }) => appRow(record, teamId))
  report.note('app', appRows.length, await upsertApps(session, appRows))
  const invoices = resolve(entries.invoice).flatMap(withTeam)
  report.note('invoice', invoices.length, await writeInvoices(session, invoices))
  const tokenRows = resolve(entries.token).map(({ record, teamId, userId }) =>
    // In the order in which they are exported. A team that is not there cannot be reached, cut off or not.
    tokenRow(
      record,
      teamId,
      userId,
      record.cut_teams?.toSorted().flatMap((slug) => teams.get(slug) ?? []),
    ),
  )
  report.note('token', tokenRows.length, await upsertTokens(session, tokenRows))
  await writeClients(session, entries.client, report)
}

// A record that names a team or user and got this far has its identifier.
const withTeam = <T extends { teamId: string | undefined }>(resolved: T) =>
  resolved.teamId === undefined ? [] : [{ ...resolved, teamId: resolved.teamId }]
const withUser = <T extends { userId: string | undefined }>(resolved: T) =>
  resolved.userId === undefined ? [] : [{ ...resolved, userId: resolved.userId }]

async function identifiers(session: ClientBase, text: string, keys: readonly (string | undefined)[]): Promise<Map<string, string>> {
  const unique = [...new Set(keys.filter((key) => key !== undefined))]
  if (unique.length === 0) return new Map()
  const { rows } = await session.query<{ key: string; id: string }>(text, [unique])
  return new Map(rows.map(({ key, id }) => [key, id]))
}

async function userRows(session: ClientBase, entries: readonly Entry<'user'>[]) {
  const withPassword = entries.filter(({ record }) => record.password !== undefined).map(({ record }) => record.email)
  const stored = await identifiers(session, 'SELECT email AS key, password_hash AS id FROM users WHERE email = ANY ($1)', withPassword)
  // Hashing runs beside JavaScript, a few at a time: that many threads the process has for it.
  return Promise.all(
    entries.map(async ({ record }) => {
      const hash = record.password === undefined ? undefined : await hashToStore(record.password, stored.get(record.email))
      return userRow(record, hash)
    }),
  )
}
