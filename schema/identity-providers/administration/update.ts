import { updateRows } from '../../../prisma/statement/write-row.ts'
import { builder } from '../../builder/builder.ts'
import { change, difference } from '../../core/audit/audit.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { askAfterNewKey } from '../linked/changed-keys.ts'
import { sendProviderNotice } from './notice.ts'
import { auditedProvider, auditedSettings, findOwnProvider, lockProvider } from '../own-provider.ts'
import { IdentityProviderPayload, nameDescription, settingFields } from './payload.ts'
import { writeProviders } from '../rules.ts'
import { changedSettings } from './settings.ts'
import { encryptClientSecret } from '../stored-provider.ts'

const UpdateIdentityProviderInput = builder.inputType('UpdateIdentityProviderInput', {
  description: 'The input of `updateIdentityProvider`; an absent field stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The identifier of the identity provider.' }),
    name: t.string({ description: nameDescription }),
    ...settingFields(t),
  }),
})

builder.mutationField('updateIdentityProvider', (t) =>
  t.field({
    description:
      'Changes an identity provider. After a change of the issuer, the client or the certificates it must be tested again. After another issuer, client or certificate, each user proves the account once more at the next sign-in, unless the team created the account and it is a member of no other team.',
    type: IdentityProviderPayload,
    requires: writeProviders,
    args: { input: t.arg({ type: UpdateIdentityProviderInput, required: true }) },
    resolve: async (_, { input: { id: globalId, ...input } }, context, info) => {
      const provider = await findOwnProvider(context, globalId, writeProviders)
      const { id } = provider
      const { clientSecret: secret, ...changes } = await changedSettings(context, provider, input)
      return change(context, info, async (transaction) => {
        const [team, current] = await Promise.all([lockTeam(transaction, provider.teamId), lockProvider(transaction, id)])
        const clientSecret = secret == null ? secret : encryptClientSecret(context, secret, id)
        const changed = difference(auditedSettings(current), auditedSettings({ ...current, ...changes }))
        // A new secret always counts as a change, so that a response never reveals whether it equals the current one.
        const isSecretChanged = clientSecret !== undefined && (clientSecret !== null || current.clientSecret !== null)
        if (changed.isUnchanged && !isSecretChanged)
          return { result: { identityProvider: current }, ...auditedProvider(current), ...changed }
        const isTrustChanged = isSecretChanged || trusted.some((name) => name in changed.after)
        const data = {
          ...changes,
          ...(isSecretChanged && { clientSecret }),
          ...(isTrustChanged && { testedAt: null, failedAt: null, failure: null }),
          updatedAt: context.now(),
        }
        transaction.defer(updateRows(transaction, 'identity_providers', { id }, data))
        const identityProvider = { ...current, ...data }
        await askAfterNewKey(transaction, context, team, { before: current, after: identityProvider })
        if (isSecretChanged) Object.assign(changed.after, { clientSecret: clientSecret === null ? 'removed' : 'replaced' })
        if (Object.keys(changed.after).some((name) => name !== 'name'))
          await sendProviderNotice(transaction, context, team, identityProvider, 'changed')
        return { result: { identityProvider }, ...auditedProvider(identityProvider), ...changed, isUnchanged: false }
      })
    },
  }),
)

/** A change of one of these settings invalidates the test, because other responses are accepted than those that were tested. */
const trusted = ['issuer', 'clientId', 'ssoUrl', 'certificates']
