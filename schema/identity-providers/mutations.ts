import { randomUUID } from 'node:crypto'
import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow, updateRows } from '../../prisma/statement/write-row.ts'
import type { IdentityProvider } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change, difference } from '../core/audit.ts'
import { changeOnce, idempotencyRules, keyDescription } from '../core/change-once.ts'
import { lockTeam } from '../core/database/locks.ts'
import { endSignInsAtProvider } from '../core/team-access/session-reach.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { parse, refused } from '../core/validation.ts'
import { RoleType } from '../members/role.ts'
import { sendProviderNotice } from './notice.ts'
import { auditedProvider, auditedSettings, findOwnProvider, lockProvider } from './own-provider.ts'
import { IdentityProviderType, ProviderKindType } from './provider.ts'
import { readReservation } from './reservation.ts'
import { countProviders, maxProviders, writeProviders } from './rules.ts'
import { changedSettings, newSettings } from './settings.ts'
import { encryptClientSecret } from './stored-provider.ts'

export const IdentityProviderPayload = payloadType<{ identityProvider: IdentityProvider }>('IdentityProviderPayload', {
  description: 'An identity provider after the change.',
  fields: (t) => ({
    identityProvider: t.expose('identityProvider', { type: IdentityProviderType, description: 'The identity provider.' }),
  }),
})

const descriptions = {
  name: 'The name on the button of the sign-in page.',
  issuer: 'For OpenID Connect: the issuer, an https URL. Its metadata is read and must name it.',
  clientId: 'For OpenID Connect: the client identifier that the provider issued.',
  clientSecret: 'For OpenID Connect: the client secret. It is stored encrypted and never returned. Null for a public client.',
  metadata: 'For SAML: the metadata of the identity provider, as XML. It has one or two signing certificates.',
  groupsClaim: 'The claim or SAML attribute that lists the groups of a user. Null if groups are not read.',
  jitRole: 'The role that a user without a membership gets at sign-in: `MEMBER` or `BILLING`. Null for none.',
}

const CreateIdentityProviderInput = builder.inputType('CreateIdentityProviderInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    kind: t.field({ type: ProviderKindType, required: true, description: 'The protocol.' }),
    name: t.string({ required: true, description: descriptions.name }),
    issuer: t.string({ description: descriptions.issuer }),
    clientId: t.string({ description: descriptions.clientId }),
    clientSecret: t.string({ description: descriptions.clientSecret }),
    metadata: t.string({ description: descriptions.metadata }),
    groupsClaim: t.string({ description: descriptions.groupsClaim }),
    jitRole: t.field({ type: RoleType, description: descriptions.jitRole }),
    reservation: t.string({
      description:
        'The identifier that the page for a new provider has reserved for it, signed by the service. It is an idempotency key, too.',
    }),
    idempotencyKey: t.id({ description: keyDescription('provider', 'it returns the first one') }),
  }),
})

const UpdateIdentityProviderInput = builder.inputType('UpdateIdentityProviderInput', {
  description: 'The input of `updateIdentityProvider`; an absent field stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The identifier of the identity provider.' }),
    name: t.string({ description: descriptions.name }),
    issuer: t.string({ description: descriptions.issuer }),
    clientId: t.string({ description: descriptions.clientId }),
    clientSecret: t.string({ description: descriptions.clientSecret }),
    metadata: t.string({ description: descriptions.metadata }),
    groupsClaim: t.string({ description: descriptions.groupsClaim }),
    jitRole: t.field({ type: RoleType, description: descriptions.jitRole }),
  }),
})

const deleteProvider = statement<object, [id: string]>('delete_identity_provider', 'DELETE FROM identity_providers WHERE id = $1')
const unlinkAll = statement<object, [providerId: string]>(
  'unlink_identities_of_provider',
  'DELETE FROM external_identities WHERE provider_id = $1',
)

builder.mutationFields((t) => ({
  createIdentityProvider: t.field({
    description: `Creates an identity provider, through which members of the team sign in with the accounts of their organization. A team can have ${maxProviders}.`,
    type: IdentityProviderPayload,
    requires: writeProviders,
    args: { input: t.arg({ type: CreateIdentityProviderInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const { team: _slug, kind, idempotencyKey, reservation, ...given } = input
      const { idempotencyKey: key } = parse(idempotencyRules, { idempotencyKey })
      const reserved = reservation == null ? null : readReservation(context, team.id, reservation)
      if (reservation != null && !reserved)
        throw refused({ reservation: ['The addresses were reserved for another team or too long ago.'] })
      const id = reserved?.id ?? randomUUID()
      const { clientSecret: secret, ...settings } = await newSettings(context, kind, given)
      const now = context.now()
      const clientSecret = secret === null ? null : encryptClientSecret(context, secret, id)
      const row = { id, teamId: team.id, kind, ...settings, clientSecret, createdAt: now, updatedAt: now }
      const identityProvider = { ...row, testedAt: null, disabledAt: null }
      const creation = {
        what: 'identity provider',
        key: reserved?.id ?? key,
        owner: team.id,
        input: { kind, ...settings, clientSecret: secret },
        id,
        expiresAt: reserved?.expiresAt,
      }
      const insert = async (transaction: Transaction) => {
        // Sent together; the second one runs when the team is locked.
        const [, [present]] = await Promise.all([lockTeam(transaction, team.id), countProviders(transaction, team.id)])
        if ((present?.count ?? 0) >= maxProviders)
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
  updateIdentityProvider: t.field({
    description:
      'Changes an identity provider. After a change of the issuer, the client or the certificates it must be tested again. A change of the issuer also unlinks the accounts of all users: each proves the account once more at the next sign-in.',
    type: IdentityProviderPayload,
    requires: writeProviders,
    args: { input: t.arg({ type: UpdateIdentityProviderInput, required: true }) },
    resolve: async (_, { input: { id: givenId, ...given } }, context, info) => {
      const found = await findOwnProvider(context, givenId, writeProviders)
      const { id } = found
      const { clientSecret: secret, ...changes } = await changedSettings(context, found, given)
      return change(context, info, async (transaction) => {
        const [team, present] = await Promise.all([lockTeam(transaction, found.teamId), lockProvider(transaction, id)])
        const clientSecret = secret == null ? secret : encryptClientSecret(context, secret, id)
        const changed = difference(auditedSettings(present), auditedSettings({ ...present, ...changes }))
        // A new secret always counts as a change, so that an answer never tells whether it equals the present one.
        const isSecretChanged = clientSecret !== undefined && (clientSecret !== null || present.clientSecret !== null)
        if (changed.isUnchanged && !isSecretChanged)
          return { result: { identityProvider: present }, ...auditedProvider(present), ...changed }
        const isTrustChanged = isSecretChanged || trusted.some((name) => name in changed.after)
        const data = {
          ...changes,
          ...(isSecretChanged && { clientSecret }),
          ...(isTrustChanged && { testedAt: null }),
          updatedAt: context.now(),
        }
        transaction.defer(updateRows(transaction, 'identity_providers', { id }, data))
        // Another issuer could give the identifier of one user to another one.
        if ('issuer' in changed.after) {
          endSignInsAtProvider(transaction, { of: { providerId: id } })
          transaction.defer(unlinkAll(transaction, id))
        }
        const identityProvider = { ...present, ...data }
        if (isSecretChanged) Object.assign(changed.after, { clientSecret: clientSecret === null ? 'removed' : 'replaced' })
        if (Object.keys(changed.after).some((name) => name !== 'name'))
          await sendProviderNotice(transaction, context, team, identityProvider, 'changed')
        return { result: { identityProvider }, ...auditedProvider(identityProvider), ...changed, isUnchanged: false }
      })
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

/** A change of one of these settings makes other answers acceptable than those that were tested. */
const trusted = ['issuer', 'clientId', 'ssoUrl', 'certificates']
