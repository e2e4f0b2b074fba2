import { z } from 'zod'
import { InvoiceStatus, WebhookDisabledReason } from '../../prisma/generated/client/enums.ts'
import { applicationId } from '../apps/application.ts'
import { role } from '../members/role.ts'
import { tokenHint } from '../tokens/token.ts'

// The data of an event contains identifiers and changed values, but never a whole object or a secret. A value that was deleted since is
// null, such as the address of a user or the scopes of a token that ended long ago.

/** The kinds of objects that events are about. */
export type EventSubject = 'team' | 'member' | 'invitation' | 'token' | 'grant' | 'invoice' | 'webhook'

const appIds = z.array(applicationId).nullable().describe('The products that the member may use; null means all.')
const changes = z
  .record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }))
  .describe('The previous and the new value of each member that changed.')
const email = z.string().nullable().describe('The email address; null if the account was deleted since.')

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** Returns the schema of `data` for a subject, with the name of its component in OpenAPI. */
const describeData = <Shape extends z.ZodRawShape>(subject: EventSubject, shape: Shape) =>
  z.object(shape).meta({ id: `${capitalize(subject)}EventData`, description: `What an event of the kind \`${subject}\` says.` })

/** The schema of `data`, by the subject of the event. */
export const eventData = {
  team: describeData('team', { changes }),
  member: describeData('member', {
    user_id: z.string().describe('The identifier of the user.'),
    email,
    role: role.nullable().describe('The role; null if it did not change.'),
    accessible_app_ids: appIds,
    changes,
  }),
  invitation: describeData('invitation', {
    invitation_id: z.string().nullable().describe('The identifier of the invitation; null if it was deleted since.'),
    email,
    role: role.nullable().describe('The role that was offered; null if the invitation was deleted since.'),
    accessible_app_ids: appIds,
    user_id: z.string().nullable().describe('The user who accepted the invitation; otherwise null.'),
  }),
  token: describeData('token', {
    token_id: z.string().describe('The identifier of the token.'),
    name: z.string().describe('The name of the token.'),
    hint: z.string().nullable().describe('The prefix and the last four characters of the value; null if the token was deleted since.'),
    scopes: z.array(z.string()).nullable().describe('The scopes; null if the token was deleted since.'),
    expires_at: z.iso.datetime().nullable().describe('When the token expires; null if it does not.'),
  }),
  grant: describeData('grant', {
    grant_id: z.string().describe('The identifier of the grant.'),
    client_id: z.string().describe('The `client_id` of the app.'),
    client_name: z.string().describe('The name of the app.'),
    user_id: z.string().describe('The user who connected the app.'),
    scopes: z.array(z.string()).nullable().describe('The scopes; null if the grant was deleted since.'),
  }),
  invoice: describeData('invoice', {
    invoice_id: z.string().describe('The identifier of the invoice.'),
    number: z.string().describe('The number of the invoice.'),
    status: z.enum(InvoiceStatus).meta({ id: 'InvoiceStatus' }).describe('The status of the invoice at the time of the event.'),
    currency: z.string().describe('The ISO 4217 code of the currency, in lower case.'),
    total: z.int().describe('The total in minor units.'),
    amount_due: z.int().describe('What remains to be paid, in minor units; 0 for a void invoice.'),
    due_date: z.iso.date().nullable().describe('The date by which the invoice is due; null if it has none.'),
  }),
  webhook: describeData('webhook', {
    webhook_id: z.string().describe('The identifier of the webhook.'),
    reason: z.enum(WebhookDisabledReason).describe('Why it was disabled.'),
  }),
} as const satisfies Record<EventSubject, z.ZodObject>

/** The schema of `data` of any event. Generators of clients have no name for alternatives that are not a component. */
export const anyEventData = z
  .union(Object.values(eventData))
  .meta({ id: 'EventData', description: 'What an event says. The type of the event determines which of these it is.' })

type Values = Readonly<Record<string, unknown>>

/** The values of an event's subject from its audit entry and the tables. */
export interface EventValues {
  subject: string
  subjectName: string | null
  before: Values | null
  after: Values | null
  /** Columns of the subject's row that the entry does not contain; null if it was deleted. */
  details: Values | null
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function buildChanges({ before, after }: EventValues) {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return Object.fromEntries(
    Array.from(names, (name) => [snakeCase(name), { before: before?.[name] ?? null, after: after?.[name] ?? null }]),
  )
}

/** Selects the values of the former owner of a transferred ownership. The audit entry has the role beside that of the new owner. */
export const ofFormerOwner = (values: EventValues): EventValues => ({
  ...values,
  before: { role: 'owner' },
  after: { role: values.after?.roleOfPreviousOwner },
})

/** Builds `data` from its source. The test of the catalogue compares the result with the schema. */
export const buildEventData: Readonly<Record<EventSubject, (source: EventValues) => Values>> = {
  team: (source) => ({ changes: buildChanges(source) }),
  member: (source) => {
    const { subject, before, after, details } = source
    const terms = { ...details, ...(after ?? before) }
    return {
      user_id: subject,
      email: details?.email ?? null,
      role: terms.role ?? null,
      accessible_app_ids: terms.accessibleAppIds ?? null,
      changes: before && after ? buildChanges(source) : {},
    }
  },
  invitation: ({ subjectName, details }) => ({
    invitation_id: details?.id ?? null,
    email: details?.email ?? subjectName,
    role: details?.role ?? null,
    accessible_app_ids: details?.accessibleAppIds ?? null,
    user_id: details?.userId ?? null,
  }),
  token: ({ subject, subjectName, details }) => ({
    token_id: subject,
    name: subjectName,
    hint: details ? tokenHint({ kind: 'team', lastFour: textOrNull(details.lastFour) }) : null,
    scopes: details?.scopes ?? null,
    expires_at: details?.expiresAt ?? null,
  }),
  grant: ({ subject, subjectName, after, details }) => ({
    grant_id: subject,
    client_id: after?.clientId,
    client_name: subjectName,
    user_id: after?.userId,
    scopes: details?.scopes ?? null,
  }),
  invoice: ({ subject, subjectName, after }) => ({
    invoice_id: subject,
    number: subjectName,
    status: after?.status,
    currency: after?.currency,
    total: after?.total,
    amount_due: after?.amountDue,
    due_date: after?.dueDate ?? null,
  }),
  webhook: ({ subject, after }) => ({ webhook_id: subject, reason: after?.reason }),
}
