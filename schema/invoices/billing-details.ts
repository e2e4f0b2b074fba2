import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import type { Executor } from '../../prisma/statement/statement.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { change, difference } from '../core/audit/audit.ts'
import { lockTeam } from '../core/database/locks.ts'
import { sessionOnly } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { displayName, isOneLine, isVisible, mailAddress, parse, text } from '../core/validation.ts'
import { findVatIdMistake } from './vat-id.ts'
import { TeamPayload } from '../teams/mutations.ts'
import { TeamType } from '../teams/team.ts'

/** The details of the customer on the invoices of a team, and the recipients of mails about them. */
interface BillingDetails {
  name: string | null
  address: string | null
  vatId: string | null
  recipients: string[]
}

const detailsOfTeam = statement<BillingDetails, [teamId: string]>(
  'billing_details_of_team',
  `SELECT billing_name AS name, billing_address AS address, vat_id AS "vatId", to_json(invoice_recipients) AS recipients FROM teams WHERE id = $1`,
)

/** Reads the details of a team that exists. */
async function readBillingDetails(executor: Executor, teamId: string): Promise<BillingDetails> {
  const [details] = await detailsOfTeam(executor, teamId)
  if (!details) throw new Error(`there is no team ${teamId}`)
  return details
}

const maxLines = 6
const maxRecipients = 5

/** Converts text to lines without blank ones and without white space at their ends. */
const toAddressLines = (value: string) =>
  value
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')

/** The rules of billing details (docs/decisions/invoices.md#billing-details). */
export const billingRules = {
  billingName: displayName,
  billingAddress: text
    .overwrite(toAddressLines)
    .min(1, { abort: true })
    .max(500)
    .refine((value) => value.split('\n').length <= maxLines, `The :attribute field must not have more than ${maxLines} lines.`)
    .refine((value) => value.split('\n').every(isOneLine), 'The :attribute field must not contain control characters.')
    .refine(isVisible, 'The :attribute field must contain a visible character.'),
  // Tax numbers of other countries are accepted, too, so that customers outside the European Union can enter theirs.
  vatId: text
    .trim()
    .toUpperCase()
    .min(1, { abort: true })
    .regex(/^[A-Z\d][A-Z\d .\-/+*]{3,29}$/, 'The :attribute field must be a VAT identification number such as DE123456789.')
    .superRefine((value, { addIssue }) => {
      const message = findVatIdMistake(value)
      if (message !== null) addIssue({ code: 'custom', message, input: value })
    }),
  invoiceRecipients: z
    .array(mailAddress)
    .transform((addresses) => [...new Set(addresses)])
    .pipe(z.array(z.string()).max(maxRecipients)),
}

const inputRules = z
  .object({
    name: billingRules.billingName.nullable(),
    address: billingRules.billingAddress.nullable(),
    vatId: billingRules.vatId.nullable(),
    recipients: billingRules.invoiceRecipients,
  })
  .partial()

/** Billing details are no part of the APIs: only owners and billing members, in a session, and the operator can use them. */
const requires: Requirement = { ...sessionOnly, roles: ['owner', 'billing'] }

const BillingDetailsType = builder.objectRef<BillingDetails>('BillingDetails').implement({
  description: 'The customer on the invoices of a team, and the recipients of emails about them.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, describedBy: 'Team.billingName' }),
    address: t.exposeString('address', { nullable: true, describedBy: 'Team.billingAddress' }),
    vatId: t.exposeString('vatId', { nullable: true, describedBy: 'Team.vatId' }),
    recipients: t.exposeStringList('recipients', { describedBy: 'Team.invoiceRecipients' }),
  }),
})

const UpdateBillingDetailsInput = builder.inputType('UpdateBillingDetailsInput', {
  description: 'The input of `updateBillingDetails`; an absent field stays as it is.',
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    name: t.string({ description: 'The name of the customer; null for the name of the team.' }),
    address: t.string({ description: `The postal address, at most ${maxLines} lines; null clears it.` }),
    vatId: t.string({ description: 'The VAT identification number; null clears it.' }),
    recipients: t.stringList({ description: `At most ${maxRecipients} email addresses, which replace the current ones.` }),
  }),
})

builder.objectField(TeamType, 'billingDetails', (t) =>
  t.field({
    description: 'The customer on the invoices of the team, and the recipients of emails about them.',
    type: BillingDetailsType,
    requires,
    resolve: ({ id }, _, { database }) => readBillingDetails(database.pool, id),
  }),
)

builder.mutationField('updateBillingDetails', (t) =>
  t.field({
    description: 'Changes the customer on the invoices of a team, or the recipients of emails about them.',
    type: TeamPayload,
    requires,
    args: { input: t.arg({ type: UpdateBillingDetailsInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id } = (await requireTeamAccess(context, input.team)).team
      const changes = parse(inputRules, input)
      return change(context, info, async (transaction) => {
        const team = await lockTeam(transaction, id)
        const before = { ...(await readBillingDetails(transaction, id)) }
        const changed = difference(before, changes)
        const { name: billingName, address: billingAddress, vatId, recipients: invoiceRecipients } = { ...before, ...changes }
        // The version of the team stays the same, because its representation in REST has no billing details.
        if (!changed.isUnchanged)
          transaction.defer(updateRows(transaction, 'teams', { id }, { billingName, billingAddress, vatId, invoiceRecipients }))
        return { result: { team }, teamId: id, subject: team.slug, ...changed }
      })
    },
  }),
)
