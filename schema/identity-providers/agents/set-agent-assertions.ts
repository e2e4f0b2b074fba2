import { z } from 'zod'
import type { IdentityProvider } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { builder } from '../../builder/builder.ts'
import { change, difference } from '../../core/audit/audit.ts'
import { lockTeam } from '../../core/database/locks.ts'
import type { FieldErrors } from '../../core/errors.ts'
import { requireTeamAccess } from '../../core/team-access/team-access.ts'
import { parse, refused, required } from '../../core/validation.ts'
import { countVerifiedDomains } from '../../domains/verified.ts'
import { sendProviderNotice } from '../administration/notice.ts'
import { IdentityProviderPayload } from '../administration/payload.ts'
import { auditedProvider, findOwnProvider, lockProvider } from '../own-provider.ts'
import { writeProviders } from '../rules.ts'
import { agentMembers, maxAgentClients } from './rules.ts'

const SetAgentAssertionsInput = builder.inputType('SetAgentAssertionsInput', {
  description: 'The input of `setAgentAssertions`; an absent field stays as it is.',
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    providerId: t.id({ required: true, description: 'The identifier of an OpenID provider of the team.' }),
    enabled: t.boolean({ description: 'Whether the provider may give access. It needs a client, a scope and a verified domain.' }),
    clientIds: t.stringList({
      description: `The public identifiers of the clients to which the provider may give access, at most ${maxAgentClients}. They must be confidential.`,
    }),
    scopes: t.stringList({ description: 'The scopes that the provider may give: those that a client can have for itself.' }),
    linkByAddress: t.boolean({
      description:
        'Whether the provider may also give the access of members who have not signed in through it, if their accounts belong to the team alone. They are recognized by an email address in a verified domain.',
    }),
  }),
})

const rules = z.object({ clientIds: agentMembers.clientIds.nullish(), scopes: agentMembers.scopes.nullish() })

type Settings = Pick<IdentityProvider, 'agentsEnabledAt' | 'agentClientIds' | 'agentScopes' | 'linksAgentsByAddress'>

/** Returns the settings for audit entries. */
const auditedSettings = ({ agentsEnabledAt, agentClientIds, agentScopes, linksAgentsByAddress }: Settings) => ({
  agentsEnabled: agentsEnabledAt !== null,
  agentClientIds,
  agentScopes,
  linksAgentsByAddress,
})

builder.mutationField('setAgentAssertions', (t) =>
  t.field({
    description:
      'Changes whether, and to which agents, an OpenID provider of the team gives access for its members by an assertion (ID-JAG), without asking them. The clients and scopes are kept while it is turned off. Tokens that were issued before are refused, or have fewer scopes, from the next request on. The owners of the team receive an email.',
    type: IdentityProviderPayload,
    requires: writeProviders,
    args: { input: t.arg({ type: SetAgentAssertionsInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team: ownTeam } = await requireTeamAccess(context, input.team)
      const { id, teamId } = await findOwnProvider(context, input.providerId, writeProviders)
      if (teamId !== ownTeam.id) throw refused({ providerId: ['The selected :attribute is invalid.'] })
      const { clientIds, scopes } = parse(rules, input)
      return change(context, info, async (transaction) => {
        const [team, current] = await Promise.all([lockTeam(transaction, teamId), lockProvider(transaction, id)])
        const isEnabled = input.enabled ?? current.agentsEnabledAt !== null
        const data: Settings = {
          agentsEnabledAt: isEnabled ? (current.agentsEnabledAt ?? context.now()) : null,
          agentClientIds: clientIds ?? current.agentClientIds,
          agentScopes: scopes ?? current.agentScopes,
          linksAgentsByAddress: input.linkByAddress ?? current.linksAgentsByAddress,
        }
        const added = data.agentClientIds.filter((clientId) => !current.agentClientIds.includes(clientId))
        await requireClients(transaction, teamId, data.agentClientIds, added)
        if (isEnabled) await requireUsable(transaction, current, data)
        const changed = difference(auditedSettings(current), auditedSettings(data))
        const identityProvider = { ...current, ...data, ...(!changed.isUnchanged && { updatedAt: context.now() }) }
        if (!changed.isUnchanged) {
          transaction.defer(updateRows(transaction, 'identity_providers', { id }, { ...data, updatedAt: identityProvider.updatedAt }))
          await sendProviderNotice(transaction, context, team, identityProvider, isEnabled ? 'agents_on' : 'agents_off')
        }
        return { result: { identityProvider }, ...auditedProvider(identityProvider), ...changed }
      })
    },
  }),
)

const confidentialClients = statement<{ clientId: string }, [clientIds: readonly string[], teamId: string]>(
  'clients_for_agents',
  `SELECT client_id AS "clientId" FROM oauth_clients
   WHERE client_id = ANY ($1) AND confidential AND disabled_at IS NULL AND (state = 'listed' OR owner_team_id = $2)`,
)

/** Throws unless the team can use each added client. The others may have been disabled or deleted since they were added. */
async function requireClients(transaction: Transaction, teamId: string, all: readonly string[], added: readonly string[]): Promise<void> {
  if (added.length === 0) return
  const usable = new Set((await confidentialClients(transaction, added, teamId)).map(({ clientId }) => clientId))
  const errors: FieldErrors = {}
  for (const [index, clientId] of all.entries())
    if (added.includes(clientId) && !usable.has(clientId))
      errors[`clientIds.${index}`] = [`There is no confidential client “${clientId}” that the team can use.`]
  if (Object.keys(errors).length > 0) throw refused(errors)
}

/** Throws unless the provider can give access with these settings. */
async function requireUsable(transaction: Transaction, { kind, teamId }: IdentityProvider, settings: Settings): Promise<void> {
  if (kind !== 'oidc') throw refused({ providerId: ['Only an OpenID provider can give access to agents.'] })
  if (settings.agentClientIds.length === 0) throw refused({ clientIds: [required] })
  if (settings.agentScopes.length === 0) throw refused({ scopes: [required] })
  if ((await countVerifiedDomains(transaction, teamId)) === 0) throw refused({ enabled: ['Verify a domain of the team first.'] })
}
