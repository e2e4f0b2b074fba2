import { randomUUID } from 'node:crypto'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow } from '../../../prisma/statement/write-row.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import { changeOnce, idempotencyRules, keyDescription } from '../../core/database/change-once.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { endSignInsAtProvider } from '../../core/team-access/session-reach.ts'
import { requireTeamAccess } from '../../core/team-access/team-access.ts'
import { parse, refused } from '../../core/validation.ts'
import { sendProviderNotice } from './notice.ts'
import { noAgents } from '../agents/rules.ts'
import { auditedProvider, auditedSettings, findOwnProvider, lockProvider } from '../own-provider.ts'
import { IdentityProviderPayload, nameDescription, settingFields } from './payload.ts'
import { ProviderKindType } from '../provider.ts'
import { readReservation } from './reservation.ts'
import { countProviders, maxProviders, writeProviders } from '../rules.ts'
import { newSettings } from './settings.ts'
import { encryptClientSecret } from '../stored-provider.ts'

const CreateIdentityProviderInput = builder.inputType('CreateIdentityProviderInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    kind: t.field({ type: ProviderKindType, required: true, description: 'The protocol.' }),
    name: t.string({ required: true, description: nameDescription }),
    ...settingFields(t),
    reservation: t.string({
      description:
        'The identifier that the page for a new provider has reserved for it, signed by the service. It is an idempotency key, too.',
    }),
    idempotencyKey: t.id({ description: keyDescription('provider', 'it returns the first one') }),
  }),
})

const deleteProvider = statement<object, [id: string]>('delete_identity_provider', 'DELETE FROM identity_providers WHERE id = $1')

builder.mutationFields((t) => ({
  createIdentityProvider: t.field({
    description: `Creates an identity provider, through which members of the team sign in with the accounts of their organization. A team can have ${maxProviders}.`,
    type: IdentityProviderPayload,
    requires: writeProviders,
    args: { input: t.arg({ type: CreateIdentityProviderInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const { team: _slug, kind, idempotencyKey, reservation, ...members } = input
      const { idempotencyKey: key } = parse(idempotencyRules, { idempotencyKey })
      const reserved = reservation == null ? null : readReservation(context, team.id, reservation)
      if (reservation != null && !reserved) throw refused({ reservation: ['The URLs on this page have expired. Load the page again.'] })
      const id = reserved?.id ?? randomUUID()
      const { clientSecret: secret, ...settings } = await newSettings(context, kind, members)
      const now = context.now()
      const clientSecret = secret === null ? null : encryptClientSecret(context, secret, id)
      const row = { id, teamId: team.id, kind, ...settings, clientSecret, createdAt: now, updatedAt: now }
      const identityProvider = { ...row, testedAt: null, failedAt: null, failure: null, disabledAt: null, ...noAgents }
      const creation = {
        what: 'identity provider',
        key: reserved?.id ?? key,
        owner: team.id,
        input: { kind, ...settings, clientSecret: secret },
        id,
        expiresAt: reserved?.expiresAt,
      }
      const insert = async (transaction: Transaction) => {
        // The statements are sent together; the second one runs when the team is locked.
        const [, [usage]] = await Promise.all([lockTeam(transaction, team.id), countProviders(transaction, team.id)])
        if ((usage?.count ?? 0) >= maxProviders)
          throw refused({ name: [`A team can have at most ${maxProviders} identity providers. Delete one first.`] })
        await sendProviderNotice(transaction, context, team, identityProvider, 'created')
        transaction.defer(insertRow(transaction, 'identity_providers', row))
        return { result: { identityProvider }, ...auditedProvider(identityProvider), after: auditedSettings(identityProvider) }
      }
      return changeOnce(context, info, creation, insert, async (first) => ({
        identityProvider: await findOwnProvider(context, first, writeProviders),
      }))
    },
  }),
  deleteIdentityProvider: t.field({
    description:
      'Deletes an identity provider and ends sign-in through it. Members and their accounts remain. It is refused while the team requires sign-in through the provider.',
    type: IdentityProviderPayload,
    requires: writeProviders,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteIdentityProviderInput', {
          fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the identity provider.' }) }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const { id, teamId } = await findOwnProvider(context, input.id, writeProviders)
      return change(context, info, async (transaction) => {
        const [team, identityProvider] = await Promise.all([lockTeam(transaction, teamId), lockProvider(transaction, id)])
        if (team.signInProviderId === id)
          throw refused({ id: ['The team requires sign-in through this identity provider. Stop requiring it first.'] })
        endSignInsAtProvider(transaction, { of: { providerId: id } })
        transaction.defer(deleteProvider(transaction, id))
        await sendProviderNotice(transaction, context, team, identityProvider, 'deleted')
        return { result: { identityProvider }, ...auditedProvider(identityProvider), before: auditedSettings(identityProvider) }
      })
    },
  }),
}))
