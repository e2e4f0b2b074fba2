import { z } from 'zod'
import { ConnectedAppStatus, InvoiceStatus, TokenKind } from '../../../prisma/generated/client/enums.ts'
import { applicationAccess, applicationId, role } from '../../../schema/application.ts'
import { clientIdentifier, clientMembers } from '../../../schema/oauth-client-rules.ts'
import { teamRules, teamSlug } from '../../../schema/team.ts'
import { tokenRules } from '../../../schema/token-rules.ts'
import { displayName, emailAddress, text } from '../../../schema/validation.ts'
import { checkClientRecord, clientSecretText } from './client-rules.ts'
import { checkInvoice, checkPeriod } from './invoice-sums.ts'
import { passwordOrHash } from './password.ts'
import { checkToken } from './token-rules.ts'
import { amount, calendarDate, currency, instant, invoiceNumber, positiveAmount, quantity, sha256Hex, webAddress } from './values.ts'

// One record a line; natural keys name what it is and what it belongs to. A record says the whole thing: an absent
// member is its default. Only what the service or a person makes themselves stays as it is when absent: instants of
// creation, the password, that an address was verified, that an account or
// client is disabled, a client’s secrets. Strict: a typo must not vanish.

/** A member that may be absent, or null, which says the same. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined)

const user = z.strictObject({
  type: z.literal('user'),
  email: emailAddress,
  name: displayName,
  password: optional(passwordOrHash),
  email_verified: optional(z.boolean()),
  // Beyond the plain format: without it, exporting and importing would let disabled people in again.
  disabled_at: optional(instant),
})

const team = z.strictObject({
  type: z.literal('team'),
  slug: teamSlug,
  name: teamRules.name,
  timezone: optional(teamRules.timezone),
  gravatar_email: optional(teamRules.gravatarEmail),
  created_at: optional(instant),
})

const member = z.strictObject({
  type: z.literal('member'),
  team: teamSlug,
  user: emailAddress,
  role,
  accessible_app_ids: optional(applicationAccess),
  joined_at: optional(instant),
})

const app = z.strictObject({
  type: z.literal('app'),
  team: teamSlug,
  id: applicationId,
  name: displayName,
  description: optional(text),
  url: optional(webAddress),
  status: optional(z.enum(ConnectedAppStatus)),
  connected_at: optional(instant),
})

const period = { period_start: optional(calendarDate), period_end: optional(calendarDate) }
const line = z
  .strictObject({ description: text, quantity, unit_amount: amount, app_id: optional(applicationId), ...period })
  .superRefine(checkPeriod)

const invoice = z
  .strictObject({
    type: z.literal('invoice'),
    team: teamSlug,
    number: invoiceNumber,
    app_id: optional(applicationId),
    status: z.enum(InvoiceStatus),
    currency,
    tax: optional(positiveAmount),
    amount_paid: optional(positiveAmount),
    invoice_date: calendarDate,
    due_date: optional(calendarDate),
    paid_at: optional(instant),
    ...period,
    lines: z.array(line),
  })
  .superRefine(checkPeriod)
  .superRefine(checkInvoice)

const token = z
  .strictObject({
    type: z.literal('token'),
    kind: z.enum(TokenKind),
    user: optional(emailAddress),
    team: optional(teamSlug),
    name: displayName,
    scopes: tokenRules.shape.scopes,
    expires_at: optional(instant),
    /** Teams whose owners cut a personal token off. */
    cut_teams: optional(z.array(teamSlug)),
    /** When a new value took its place. */
    replaced_at: optional(instant),
    value: optional(text),
    sha256: optional(sha256Hex),
  })
  .superRefine(checkToken)

const client = z
  .strictObject({
    type: z.literal('client'),
    client_id: clientIdentifier,
    name: clientMembers.name,
    description: optional(clientMembers.description),
    redirect_uris: clientMembers.redirectUris,
    confidential: clientMembers.confidential,
    client_secret: optional(clientSecretText),
    // Beyond the plain format, as is disabled_at: without them, exporting and importing would lock clients out, or let
    // disabled ones in again.
    client_secret_hashes: optional(z.array(z.strictObject({ sha256: sha256Hex, expires_at: optional(instant) })).max(2)),
    grants: clientMembers.grantTypes,
    scopes: z.strictObject({ required: clientMembers.requiredScopes, optional: clientMembers.optionalScopes }),
    team: clientMembers.team,
    refresh_replay_seconds: optional(clientMembers.refreshReplaySeconds),
    logo_uri: optional(clientMembers.logoUri),
    post_logout_redirect_uris: optional(clientMembers.postLogoutRedirectUris),
    backchannel_logout_uri: optional(clientMembers.backchannelLogoutUri),
    id_token_signed_response_alg: optional(clientMembers.idTokenSignedResponseAlg),
    disabled_at: optional(instant),
  })
  .superRefine(checkClientRecord)

/** Every type of record, in the order in which what they name must exist. */
export const recordSchemas = { user, team, member, app, invoice, token, client }

export type RecordType = keyof typeof recordSchemas
export type RecordOf<Type extends RecordType> = z.output<(typeof recordSchemas)[Type]>
export type AnyRecord = { [Type in RecordType]: RecordOf<Type> }[RecordType]

/** A record as it stands in a file. */
export type WrittenRecord = { [Type in RecordType]: z.input<(typeof recordSchemas)[Type]> }[RecordType]

export const recordTypes = Object.keys(recordSchemas) as RecordType[]
