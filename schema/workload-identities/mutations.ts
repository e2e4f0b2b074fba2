import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow, updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change, difference } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { changeOnce, idempotencyRules, keyDescription } from '../core/database/change-once.ts'
import { lockTeam } from '../core/database/locks.ts'
import { sendNoticeToOwners } from '../core/notices/send-notice.ts'
import { createDocumentCache } from '../core/outgoing/document-cache.ts'
import { OutgoingError } from '../core/outgoing/outgoing.ts'
import { requirePrincipal, requireTeamAccess } from '../core/team-access/team-access.ts'
import { parse, refused } from '../core/validation.ts'
import { buildMetadataUrl, readIssuerUrl, refuseOtherIssuer } from '../oauth/issuers.ts'
import { parseIssuerMetadata } from './assertions/issuer-keys.ts'
import { storedConditions } from './conditions.ts'
import { WorkloadIdentityType } from './identity.ts'
import type { IdentityWithParts } from './identity.ts'
import { endIdentity, findOwnIdentity, lockWorkloadIdentity, writeIdentity } from './own-identity.ts'
import { findPreset } from './presets.ts'
import { countIdentities, identityMembers, maxIdentities, requireUsableTrust } from './rules.ts'

const WorkloadIdentityPayload = payloadType<{ identity: IdentityWithParts }>('WorkloadIdentityPayload', {
  description: 'A workload identity after the change.',
  fields: (t) => ({ identity: t.expose('identity', { type: WorkloadIdentityType, description: 'The workload identity.' }) }),
})

const ConditionInput = builder.inputType('ClaimConditionInput', {
  description: 'A claim that an ID token must have.',
  fields: (t) => ({
    claim: t.string({ required: true, description: 'The name of the claim.' }),
    value: t.string({ required: true, description: 'Its value, which is compared exactly.' }),
  }),
})
const issuer =
  'The URL of the issuer of the ID tokens. It is stored as in their `iss` claim: as its metadata or a known provider writes it, if it can be read.'
const conditions =
  'From 2 to 10 claims that an ID token must have. At least one must be `sub` or an identifier that never changes, such as `repository_id`.'

const CreateWorkloadIdentityInput = builder.inputType('CreateWorkloadIdentityInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    name: t.string({ required: true, description: 'The name in lists.' }),
    issuer: t.string({ required: true, description: issuer }),
    conditions: t.field({ type: [ConditionInput], required: true, description: conditions }),
    scopes: t.stringList({ required: true, description: 'The scopes of its tokens.' }),
    idempotencyKey: t.id({ description: keyDescription('identity', 'it returns the first one') }),
  }),
})
const createRules = z.object(identityMembers)

const UpdateWorkloadIdentityInput = builder.inputType('UpdateWorkloadIdentityInput', {
  description: 'The input of `updateWorkloadIdentity`; an absent field stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The identifier of the workload identity.' }),
    name: t.string({ description: 'The name in lists.' }),
    issuer: t.string({ description: issuer }),
    conditions: t.field({ type: [ConditionInput], description: conditions }),
    scopes: t.stringList({ description: 'The scopes of its tokens.' }),
  }),
})
const updateRules = createRules.partial()

/** Returns the members of an identity for audit entries. */
const toValues = ({ name, issuer, conditions, scopes }: IdentityWithParts) => ({
  name,
  issuer,
  conditions: storedConditions.parse(conditions),
  scopes,
})
const audited = ({ id, teamId, name }: IdentityWithParts) => ({ teamId, subject: id, subjectName: name })

const deleteIdentity = statement<object, [id: string]>('delete_workload_identity', 'DELETE FROM workload_identities WHERE id = $1')

builder.mutationFields((t) => ({
  createWorkloadIdentity: t.field({
    description:
      'Creates a workload identity, which lets jobs of a CI provider, such as GitHub Actions, exchange their ID tokens for tokens of the team. A team can have 50.',
    type: WorkloadIdentityPayload,
    requires: writeIdentity,
    args: { input: t.arg({ type: CreateWorkloadIdentityInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const { issuer: entered, ...members } = parse(createRules, input)
      const settings = { ...members, issuer: await normalizeIssuer(context, entered) }
      const { idempotencyKey: key } = parse(idempotencyRules, input)
      requireUsableTrust(settings)
      const principal = requirePrincipal(context)
      const creator = principal.kind === 'user' ? principal.user : null
      const [id, now] = [randomUUID(), context.now()]
      const row = { id, teamId: team.id, ...settings, createdById: creator?.id ?? null, createdAt: now, updatedAt: now }
      const identity = { ...row, lastUsedAt: null, createdBy: creator && { id: creator.id, name: creator.name } }
      const creation = { what: 'workload identity', key, owner: team.id, input: settings, id }
      const insert = async (transaction: Transaction) => {
        // The statements are sent together; the second one runs when the team is locked.
        const [, [usage]] = await Promise.all([lockTeam(transaction, team.id), countIdentities(transaction, team.id)])
        if ((usage?.count ?? 0) >= maxIdentities)
          throw refused({ name: [`A team can have at most ${maxIdentities} workload identities. Delete one first.`] })
        const notice = { name: settings.name, team: team.name, slug: team.slug, identityId: id, issuer: settings.issuer }
        await sendNoticeToOwners(transaction, context, team.id, 'workload-identity-created', notice)
        // The conditions are passed as text, because a list would become an array of PostgreSQL.
        const stored = { ...row, conditions: JSON.stringify(settings.conditions) }
        transaction.defer(insertRow(transaction, 'workload_identities', stored))
        return { result: { identity }, ...audited(identity), after: toValues(identity) }
      }
      return changeOnce(context, info, creation, insert, async (first) => ({
        identity: await findOwnIdentity(context, first, writeIdentity),
      }))
    },
  }),
  updateWorkloadIdentity: t.field({
    description:
      'Changes a workload identity. If the issuer or the conditions change, existing tokens stop working. Removed scopes are removed from existing tokens immediately.',
    type: WorkloadIdentityPayload,
    requires: writeIdentity,
    args: { input: t.arg({ type: UpdateWorkloadIdentityInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id } = await findOwnIdentity(context, input.id, writeIdentity)
      const { name, issuer, conditions, scopes } = input
      const changes = parse(updateRules, {
        ...(name != null && { name }),
        ...(issuer != null && { issuer }),
        ...(conditions && { conditions }),
        ...(scopes && { scopes }),
      })
      if (changes.issuer !== undefined) changes.issuer = await normalizeIssuer(context, changes.issuer)
      return change(context, info, async (transaction) => {
        const current = await lockWorkloadIdentity(transaction, id)
        const identity = { ...current, ...changes, updatedAt: context.now() }
        const changed = difference(toValues(current), toValues(identity))
        if (changed.isUnchanged) return { result: { identity: current }, ...audited(current), ...changed }
        if (changes.issuer !== undefined || changes.conditions) requireUsableTrust(toValues(identity))
        const { conditions: list, ...rest } = changes
        const stored = { ...rest, ...(list && { conditions: JSON.stringify(list) }), updatedAt: identity.updatedAt }
        transaction.defer(updateRows(transaction, 'workload_identities', { id }, stored))
        return { result: { identity }, ...audited(identity), ...changed }
      })
    },
  }),
  deleteWorkloadIdentity: t.field({
    description: 'Deletes a workload identity. Its tokens are refused from the next request on.',
    type: WorkloadIdentityPayload,
    requires: endIdentity,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteWorkloadIdentityInput', {
          fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the workload identity.' }) }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const { id } = await findOwnIdentity(context, input.id, endIdentity)
      return change(context, info, async (transaction) => {
        const identity = await lockWorkloadIdentity(transaction, id)
        transaction.defer(deleteIdentity(transaction, id))
        return { result: { identity }, ...audited(identity), before: toValues(identity) }
      })
    },
  }),
}))

type IssuerPorts = Pick<Context, 'outgoing' | 'now'>

const withoutSlash = (url: string) => url.replace(/\/$/, '')

/**
 * Returns an issuer in the form of its ID tokens, because `iss` is compared exactly. Known providers have one form, and the metadata of
 * another issuer contains it. An issuer whose metadata cannot be read is accepted, because it may not be reachable yet. Throws
 * `validation_failed` if requests may not be sent to it, and if the metadata is that of another issuer.
 */
async function normalizeIssuer(ports: IssuerPorts, entered: string): Promise<string> {
  const text = readIssuerUrl(ports, entered)
  const { origin, pathname } = new URL(text)
  // A URL without a path has the path `/`.
  const bare = withoutSlash(origin + pathname)
  if (findPreset(bare)) return bare
  const url = buildMetadataUrl(bare)
  const issuer = await readIssuerName(ports, url)
  if (issuer === null) return text.endsWith('/') ? `${bare}/` : bare
  if (withoutSlash(issuer) !== bare && withoutSlash(issuer) !== withoutSlash(text)) throw refuseOtherIssuer(url, issuer)
  return issuer
}

/** Returns the issuer in the metadata, or null. It is fetched again, because an administrator may just have corrected it. */
async function readIssuerName(ports: IssuerPorts, url: string): Promise<string | null> {
  try {
    return (await createDocumentCache(ports, parseIssuerMetadata).get(url)).issuer
  } catch (error) {
    if (error instanceof OutgoingError) return null
    throw error
  }
}
