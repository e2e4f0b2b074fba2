import { z } from 'zod'
import { ConnectedAppStatus, InvoiceStatus, TokenKind } from '../../../prisma/generated/client/enums.ts'
import { applicationAccess, applicationId, role } from '../../../schema/application.ts'
import { teamRules, teamSlug } from '../../../schema/team.ts'
import { displayName, emailAddress, text } from '../../../schema/validation.ts'
import { checkInvoice, checkPeriod } from './invoice-sums.ts'
import { passwordOrHash } from './password.ts'
import { checkToken, importedScopes } from './token-rules.ts'
import { amount, calendarDate, currency, instant, invoiceNumber, positiveAmount, quantity, sha256Hex, webAddress } from './values.ts'

// One record a line; natural keys name what it is and what it belongs to. A record says the whole thing: an absent
// member is its default. Only what the service or a person makes themselves stays as it is when absent: instants of
// creation, the password, that an address was verified, that an account is disabled. Strict: a typo must not vanish.

const user = z.strictObject({
  type: z.literal('user'),
  email: emailAddress,
  name: displayName,
  password: passwordOrHash.optional(),
  email_verified: z.boolean().optional(),
  // Beyond the plain format: without it, exporting and importing would let disabled people in again.
  disabled_at: instant.optional(),
})

const team = z.strictObject({
  type: z.literal('team'),
  slug: teamSlug,
  name: teamRules.name,
  timezone: teamRules.timezone.optional(),
  gravatar_email: teamRules.gravatarEmail.optional(),
  created_at: instant.optional(),
})

const member = z.strictObject({
  type: z.literal('member'),
  team: teamSlug,
  user: emailAddress,
  role,
  accessible_app_ids: applicationAccess.optional(),
  joined_at: instant.optional(),
})

const app = z.strictObject({
  type: z.literal('app'),
  team: teamSlug,
  id: applicationId,
  name: displayName,
  description: text.nullish(),
  url: webAddress.nullish(),
  status: z.enum(ConnectedAppStatus).optional(),
  connected_at: instant.optional(),
})

const period = { period_start: calendarDate.nullish(), period_end: calendarDate.nullish() }
const line = z
  .strictObject({ description: text, quantity, unit_amount: amount, app_id: applicationId.nullish(), ...period })
  .superRefine(checkPeriod)

const invoice = z
  .strictObject({
    type: z.literal('invoice'),
    team: teamSlug,
    number: invoiceNumber,
    app_id: applicationId.nullish(),
    status: z.enum(InvoiceStatus),
    currency,
    tax: positiveAmount.optional(),
    amount_paid: positiveAmount.optional(),
    invoice_date: calendarDate,
    due_date: calendarDate.nullish(),
    paid_at: instant.nullish(),
    ...period,
    lines: z.array(line),
  })
  .superRefine(checkPeriod)
  .superRefine(checkInvoice)

const token = z
  .strictObject({
    type: z.literal('token'),
    kind: z.enum(TokenKind),
    user: emailAddress.optional(),
    team: teamSlug.optional(),
    name: displayName,
    scopes: importedScopes,
    expires_at: instant.nullish(),
    value: text.optional(),
    sha256: sha256Hex.optional(),
  })
  .superRefine(checkToken)

/** Every type of record, in the order in which what they name must exist. */
export const recordSchemas = { user, team, member, app, invoice, token }

export type RecordType = keyof typeof recordSchemas
export type RecordOf<Type extends RecordType> = z.output<(typeof recordSchemas)[Type]>
export type AnyRecord = { [Type in RecordType]: RecordOf<Type> }[RecordType]

export const recordTypes = Object.keys(recordSchemas) as RecordType[]
