import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { isIdentifier, parse, text } from '../core/validation.ts'
import { StaffType } from './staff.ts'
import { clientWords, hasWords, toWordQuery } from './words.ts'

// One search for everything that a user can mention to support (docs/decisions/staff.md#search). Each part of the statement uses an index.

const kinds = {
  user: 'A user. The key is the identifier.',
  team: 'A team, possibly deleted. The key is the slug.',
  client: 'An OAuth client. The key is the client identifier.',
  invoice: 'An invoice of a team. The key is the identifier.',
  token: 'A personal or team access token. The key is the identifier.',
  audit_entry: 'An entry of the audit log, which an event has as its identifier. The key is the identifier.',
}

export interface StaffSearchResult {
  kind: keyof typeof kinds
  key: string
  name: string
  detail: string | null
  teamSlug: string | null
  userId: string | null
}

/** Maximum number of results of each kind. */
const maxResults = 10

const columns = (kind: keyof typeof kinds, key: string, name: string, detail: string, teamSlug = 'NULL', userId = 'NULL') =>
  `SELECT '${kind}' AS kind, ${key} AS key, ${name} AS name, ${detail} AS detail, ${teamSlug} AS "teamSlug", ${userId}::text AS "userId"`
const userColumns = columns('user', 'u.id::text', 'u.name', 'u.email', undefined, 'u.id')
const teamColumns = columns('team', 't.slug', 't.name', 't.slug', 't.slug')
const clientColumns = columns('client', 'c.client_id', 'c.name', 'coalesce(c.publisher, c.client_id)')
const invoiceColumns = columns('invoice', 'i.id::text', 'i.number', 't.name', 't.slug')
const tokenColumns = columns('token', 'a.id::text', 'a.name', `'…' || a.last_four`, 't.slug', 'a.user_id')
const entryColumns = columns('audit_entry', 'e.id::text', 'e.action', 'e.actor_name', 't.slug')
const invoiceTables = 'invoices i JOIN teams t ON t.id = i.team_id'
const tokenTables = 'access_tokens a LEFT JOIN teams t ON t.id = a.team_id'

type SearchValues = [words: string, text: string, id: string | null, hint: string | null]

const limited = (...parts: string[]) => parts.map((part) => `(${part} LIMIT ${maxResults})`).join(' UNION ')

const search = statement<StaffSearchResult, SearchValues>(
  'staff_search',
  limited(
    `${userColumns} FROM users u WHERE ${hasWords("u.name || ' ' || u.email", '$1')}`,
    `${teamColumns} FROM teams t WHERE ${hasWords("t.name || ' ' || t.slug", '$1')}`,
    `${clientColumns} FROM oauth_clients c WHERE ${hasWords(clientWords('c'), '$1')}`,
    `${clientColumns} FROM oauth_clients c WHERE c.client_id = $2`,
    `${invoiceColumns} FROM ${invoiceTables} WHERE i.number = $2`,
    `${userColumns} FROM users u WHERE u.id = $3::uuid`,
    `${teamColumns} FROM teams t WHERE t.id = $3::uuid`,
    `${invoiceColumns} FROM ${invoiceTables} WHERE i.id = $3::uuid`,
    `${tokenColumns} FROM ${tokenTables} WHERE a.id = $3::uuid`,
    `${entryColumns} FROM audit_entries e LEFT JOIN teams t ON t.id = e.team_id WHERE e.id = $3::uuid`,
    `${tokenColumns} FROM ${tokenTables} WHERE a.last_four = $4`,
  ),
)

const rules = z.object({ text: text.trim().min(2).max(255) })

/** Returns the last four characters of a token if the text is its value, its hint as the pages show it, or four characters; otherwise null. */
const findHint = (searched: string): string | null =>
  /^(?:[pt]at_[0-9A-Za-z]*|(?:[pt]at_)?(?:\u2026|\.\.\.))?([0-9A-Za-z]{4})$/.exec(searched)?.[1] ?? null

const KindType = enumType('StaffSearchKind', 'What a result of `staff.search` is.', kinds)

const ResultType = builder.objectRef<StaffSearchResult>('StaffSearchResult').implement({
  description: 'Something that staff found. Further fields of `staff` read it.',
  fields: (t) => ({
    kind: t.expose('kind', { type: KindType, description: 'What was found.' }),
    key: t.exposeString('key', { description: 'The identifier by which it can be read, depending on the kind.' }),
    name: t.exposeString('name', { description: 'The name, the number of an invoice, or the action of an audit entry.' }),
    detail: t.exposeString('detail', {
      nullable: true,
      description:
        'What distinguishes it: an email address, the slug or name of a team, a publisher, the hint of a token, or the name of the actor.',
    }),
    teamSlug: t.exposeString('teamSlug', { nullable: true, description: 'The slug of the team to which it belongs, or null.' }),
    userId: t.exposeID('userId', { nullable: true, description: 'The identifier of the user to whom it belongs, or null.' }),
  }),
})

builder.objectField(StaffType, 'search', (t) =>
  t.field({
    description: `Users, teams and clients with words that begin with the words of a text; the object with this identifier, invoice number, client identifier or event identifier; tokens with this hint. At most ${maxResults} of each.`,
    type: [ResultType],
    args: {
      text: t.arg.string({ required: true, description: 'The text: 2 to 255 characters. Only the hint of the value of a token is used.' }),
    },
    complexity: maxResults * 10,
    resolve: async (_, args, { database }) => {
      const { text: searched } = parse(rules, args)
      const results = await search(
        database.pool,
        toWordQuery(searched),
        searched,
        isIdentifier(searched) ? searched : null,
        findHint(searched),
      )
      const order = Object.keys(kinds)
      return results.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || one.name.localeCompare(other.name))
    },
  }),
)
