import type { ClientBase } from 'pg'
import { maxGroupRoles } from '../../../schema/members/groups/rules.ts'
import { maxWebhooks } from '../../../schema/webhooks/rules.ts'
import type { RecordType, RecordReference } from '../records/record-type.ts'
import { recordTypes } from '../records/record-types.ts'
import type { RecordTypeName } from '../records/record-types.ts'
import type { Identifiers, Target } from '../records/storage.ts'
import type { Chunk, Entry, Resolved } from './chunk.ts'
import type { EventWriter } from './events.ts'
import type { Report } from './report.ts'
import { withinTeams } from './rows-of-teams.ts'
import { writeClients } from './types/clients.ts'
import { writeInvoices } from './types/invoices.ts'
import { checkLinkedIdentities, writeLinkedIdentities } from './types/linked-identities.ts'
import type { MemberWriter } from './types/teams.ts'
import { refuseChangedDeletions } from './types/teams.ts'
import { readPictures, withPictures } from './types/picture-import.ts'
import { checkDomains, checkProviders } from './types/sign-in-import.ts'
import { hashPasswords } from './types/user-passwords.ts'
import { writeWebhooks } from './types/webhook-import.ts'
import { upsert } from './upsert.ts'
import type { Written } from './upsert.ts'

type Write<Name extends RecordTypeName> = (
  session: ClientBase,
  entries: readonly Resolved<Name>[],
  withBefore: boolean,
) => Promise<Written[]>

const upsertUsers = upsert(recordTypes.user)
const upsertTeams = upsert(recordTypes.team, { returnsId: true })
const upsertApps = upsert(recordTypes.app)
const upsertTokens = upsert(recordTypes.token, { returnsId: true })
const upsertDomains = upsert(recordTypes.domain)
const upsertProviders = upsert(recordTypes.identity_provider)
const upsertGroupRoles = upsert(recordTypes.group_role)

/** Writes a chunk with a few statements per type. A record that refers to a missing team or user is reported instead. */
export async function writeChunk(
  session: ClientBase,
  { entries }: Chunk,
  members: MemberWriter,
  { report, events, sendMails }: { report: Report; events: EventWriter | null; sendMails: boolean },
): Promise<void> {
  const identifiers = new IdentifierCache(session)

  /** Returns the rows of records whose references exist. Reports the others. */
  async function resolve<Name extends RecordTypeName>(name: Name, list: readonly Entry<Name>[]): Promise<Resolved<Name>[]> {
    const type: RecordType = recordTypes[name]
    await identifiers.load(list.flatMap(({ record }) => type.listReferences(record)))
    return list.flatMap(({ line, record }) => {
      const missing = type.listReferences(record).find(({ target, key, isRequired }) => isRequired && !identifiers[target].has(key))
      if (!missing) return [{ line, record, row: type.toRow(record, identifiers) }]
      const message = `There is no ${missing.target} ${missing.key}.`
      report.refuse({ line, subject: type.getSubject(record), member: missing.member, message })
      return []
    })
  }

  /** Writes the records of a type that pass `check`, which reports the others. */
  async function write<Name extends RecordTypeName>(
    name: Name,
    list: readonly Entry<Name>[],
    writeRows: Write<Name>,
    check?: (resolved: readonly Resolved<Name>[]) => Promise<readonly Resolved<Name>[]>,
  ): Promise<void> {
    const resolvable = await resolve(name, list)
    const resolved = check ? await check(resolvable) : resolvable
    const written = resolved.length > 0 ? await writeRows(session, resolved, events !== null) : []
    report.add(name, resolved.length, written)
    const rows = resolved.map(({ row }) => row)
    await events?.tell(name, rows, written)
  }

  /** Reads the pictures of records before they are written, and writes both. */
  async function writeWithPictures<Name extends 'user' | 'team'>(name: Name, list: readonly Entry<Name>[], writeRows: Write<Name>) {
    const type: RecordType = recordTypes[name]
    const read = await readPictures(session, name, list, (wrong, record) => report.refuse({ ...wrong, subject: type.getSubject(record) }))
    await write(name, read.entries, withPictures(name, read.pictures, writeRows))
  }

  await writeWithPictures('user', await hashPasswords(session, entries.user), upsertUsers)
  await writeWithPictures('team', await refuseChangedDeletions(session, entries.team, report), upsertTeams)
  await write('member', entries.member, members.write)
  await write('app', entries.app, upsertApps)
  await write('invoice', entries.invoice, (...invoices) => writeInvoices(...invoices, sendMails))
  await write('token', entries.token, upsertTokens)
  await writeClients(session, await resolve('client', entries.client), report)
  await write('webhook', entries.webhook, writeWebhooks, (rows) => withinTeams(session, 'webhook', maxWebhooks, rows, report))
  await write('domain', entries.domain, upsertDomains, (rows) => checkDomains(session, rows, report))
  await write('identity_provider', entries.identity_provider, upsertProviders, (rows) => checkProviders(session, rows, report))
  await write('group_role', entries.group_role, upsertGroupRoles, (rows) => withinTeams(session, 'group_role', maxGroupRoles, rows, report))
  await write('linked_identity', entries.linked_identity, writeLinkedIdentities, (rows) => checkLinkedIdentities(session, rows, report))
}

const statements = {
  team: 'SELECT slug AS key, id FROM teams WHERE slug = ANY ($1)',
  user: 'SELECT email AS key, id FROM users WHERE email = ANY ($1)',
}

/** Identifiers of the teams and users to which the records of a chunk refer. */
class IdentifierCache implements Identifiers {
  readonly team = new Map<string, string>()
  readonly user = new Map<string, string>()
  readonly #session: ClientBase

  constructor(session: ClientBase) {
    this.#session = session
  }

  /** Looks up new keys. A key without a row has no identifier. */
  async load(references: readonly RecordReference[]): Promise<void> {
    await this.#loadTarget('team', references)
    await this.#loadTarget('user', references)
  }

  async #loadTarget(target: Target, references: readonly RecordReference[]): Promise<void> {
    const ids = this[target]
    const keys = new Set(references.flatMap((each) => (each.target === target && !ids.has(each.key) ? [each.key] : [])))
    if (keys.size === 0) return
    const { rows } = await this.#session.query<{ key: string; id: string }>(statements[target], [[...keys]])
    for (const { key, id } of rows) ids.set(key, id)
  }
}
