import { Kind, valueFromASTUntyped } from 'graphql'
import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql'
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import { parseClientReference } from '../oauth/clients/client.ts'
import { writeAuditEntries } from '../core/audit/audit.ts'
import type { AuditedChange } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import type { AccessibleTeam } from '../core/principals.ts'
import { slugOfTeam } from '../core/global-id.ts'
import { markReadByStaff } from '../core/team-access/staff-reading.ts'
import { isSlug } from '../core/team-access/lazy-teams.ts'
import { loadBatched } from '../lists/batch.ts'

type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>

// Limits of the size of an entry. The entry contains the number of omitted parts.
const maxFields = 200
const maxPath = 1000
const maxText = 255

/**
 * Writes one audit entry for each field of `staff` that the document selects, before anything is read, so that nothing is returned without
 * an entry. An entry contains all arguments and the selected fields. If an argument is a team, or a client
 * that a team owns, the entry is in the audit log of that team. Directives are not evaluated: a field that `@skip` removes is recorded, too.
 */
export async function auditReading(context: Context, info: Selection): Promise<void> {
  const readings = info.fieldNodes
    .flatMap(({ selectionSet }) => listFields(selectionSet, info))
    .filter(({ name }) => name.value !== '__typename')
  if (readings.length === 0) return
  const entries = readings.map((reading) => {
    const args = listArguments(reading, info)
    const fields = byImportance(new Set(listPaths(reading.selectionSet, info, ''))).map((path) => shortened(path, maxPath))
    const omitted = fields.length - maxFields
    const subjectName = reading.name.value
    const slug = [args['slug'], args['team']].find((each) => typeof each === 'string')
    const { id, clientId } = args
    return {
      slug: slug === undefined ? null : slugOfTeam(slug),
      clientId: typeof clientId === 'string' ? parseClientReference(clientId) : null,
      id: typeof id === 'string' ? id : null,
      subjectName,
      after: { arguments: args, fields: omitted > 0 ? [...fields.slice(0, maxFields), `… and ${omitted} more`] : fields },
    }
  })
  const slugs = entries.flatMap(({ slug }) => (slug !== null && isSlug(slug) ? [slug] : []))
  const clientIds = entries.flatMap(({ clientId }) => clientId ?? [])
  const teams = slugs.length + clientIds.length > 0 ? await teamsConcerned(context.database.pool, slugs, clientIds) : []
  const written = entries.map(({ slug, clientId, id, subjectName, after }) => {
    const team = teams.find((each) => (clientId === null ? each.clientId === null && each.slug === slug : each.clientId === clientId))
    const entry = { subject: team?.slug ?? slug ?? clientId ?? id ?? subjectName, subjectName, after }
    return team === undefined ? entry : Object.assign(entry, { teamId: team.id })
  })
  await writeReadings(context, written)
}

/** Reads the teams with these slugs, and those that own the clients with these public identifiers. */
const teamsConcerned = statement<
  { id: string; slug: string; clientId: string | null },
  [slugs: readonly string[], clientIds: readonly string[]]
>(
  'teams_concerned_by_reading',
  `SELECT id, slug, NULL AS "clientId" FROM teams WHERE slug = ANY ($1)
   UNION ALL SELECT t.id, t.slug, c.client_id FROM oauth_clients c JOIN teams t ON t.id = c.owner_team_id WHERE c.client_id = ANY ($2)`,
)

/**
 * Marks a team in a list that staff read. A read of its content, such as its members, writes an entry to the audit log of the team, because
 * the entry for the list does not contain the team. One statement writes the entries of all teams in the list.
 */
export const markListedTeam = (team: AccessibleTeam): AccessibleTeam =>
  markReadByStaff(team, async (context, field) => {
    await loadBatched(context, `staff reading ${field}`, team, async (teams) => {
      const entries = teams.map(({ id: teamId, slug: subject }) => ({ teamId, subject, subjectName: field }))
      await writeReadings(context, entries)
      return new Map<AccessibleTeam, true>()
    })
  })

/** Marks a team that a field of staff has as argument. The entry for the field is already in the audit log of the team. */
export const markNamedTeam = (team: AccessibleTeam): AccessibleTeam => markReadByStaff(team, () => Promise.resolve())

const writeReadings = (context: Context, entries: readonly AuditedChange[]) =>
  inTransaction(context.database, async (transaction) => writeAuditEntries(transaction, context, 'readAsStaff', entries))

/** Returns the fields of a selection, including those of fragments. */
function listFields(selectionSet: SelectionSetNode | undefined, { fragments }: Pick<Selection, 'fragments'>): FieldNode[] {
  return (selectionSet?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection]
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value]
    return listFields(inner?.selectionSet, { fragments })
  })
}

/** Returns the path of each leaf, with the arguments of each field in it: `members(search: "ada").nodes.email`. */
function listPaths(selectionSet: SelectionSetNode | undefined, info: Selection, prefix: string): string[] {
  return listFields(selectionSet, info).flatMap((field) => {
    const args = Object.entries(listArguments(field, info)).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    const path = `${prefix}${field.name.value}${args.length > 0 ? `(${args.join(', ')})` : ''}`
    return field.selectionSet ? listPaths(field.selectionSet, info, `${path}.`) : [path]
  })
}

/**
 * Returns the paths in the order of their importance: the first of each field with its arguments, the others of these fields, and those
 * without arguments. If the limit is exceeded, more leaves of one field therefore do not displace the arguments of another.
 */
function byImportance(paths: ReadonlySet<string>): string[] {
  const seen = new Set<string>()
  const getRank = (path: string) => {
    const end = path.lastIndexOf(')') + 1
    if (end === 0) return 'without arguments'
    const field = path.slice(0, end)
    return seen.has(field) ? 'again' : (seen.add(field), 'first')
  }
  const ranks = Object.groupBy(paths, getRank)
  return [...(ranks.first ?? []), ...(ranks.again ?? []), ...(ranks['without arguments'] ?? [])]
}

/** Returns the arguments of a field as JSON, with the values of variables. */
function listArguments({ arguments: args = [] }: FieldNode, { variableValues }: Selection): Prisma.InputJsonObject {
  const values = Object.fromEntries(args.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variableValues.coerced)]))
  const text = JSON.stringify(values, (_, value: unknown) => (typeof value === 'string' ? recordable(value) : value))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was an object
  return JSON.parse(text) as Prisma.InputJsonObject
}

/** Returns the beginning of a text, and the number of omitted characters. */
const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}… (${text.length - length} more characters)` : text

/**
 * Returns a text of limited length that PostgreSQL can store. If staff search for the value of a token, the audit log must not contain the
 * value: it is shortened to the hint that lists show.
 */
const recordable = (text: string): string =>
  shortened(
    text.replaceAll(/([pt]at_)[0-9A-Za-z]*?([0-9A-Za-z]{4})(?![0-9A-Za-z])/g, '$1…$2').replaceAll('\0', '\ufffd'),
    maxText,
  ).toWellFormed()
