import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { TeamDomain } from '../../prisma/generated/client/client.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { insertRow, updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change } from '../core/audit/audit.ts'
import { notFound } from '../core/errors.ts'
import { lockTeam } from '../core/database/locks.ts'
import { endSignInsAtProvider } from '../core/team-access/session-reach.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { parse, refused, unlessTaken } from '../core/validation.ts'
import { checkRecord, explainMissing } from './check.ts'
import { TeamDomainType } from './domain.ts'
import { auditedDomain, findOwnDomain, lockDomain } from './own-domain.ts'
import { changeDomains, domainName, maxDomains, requireOwnDomain } from './rules.ts'
import { countVerifiedDomains } from './verified.ts'

const TeamDomainPayload = payloadType<{ domain: TeamDomain }>('TeamDomainPayload', {
  description: 'A domain after the change.',
  fields: (t) => ({ domain: t.expose('domain', { type: TeamDomainType, description: 'The domain.' }) }),
})

const idInput = (name: string) =>
  builder.inputType(name, { fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the domain.' }) }) })
const [VerifyTeamDomainInput, RemoveTeamDomainInput] = [idInput('VerifyTeamDomainInput'), idInput('RemoveTeamDomainInput')]
const AddTeamDomainInput = builder.inputType('AddTeamDomainInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    domain: t.string({ required: true, description: 'The domain, such as `example.com`: what follows the `@` in email addresses.' }),
  }),
})
const addRules = z.object({ domain: domainName })

/** Selects the number of domains of a team, and whether another team has verified this one. */
const countDomains = statement<{ count: number; isTaken: boolean }, [teamId: string, domain: string]>(
  'count_domains',
  `SELECT (SELECT count(*)::int FROM team_domains WHERE team_id = $1) AS count,
     EXISTS (SELECT FROM team_domains WHERE domain = $2 AND verified_at IS NOT NULL AND team_id <> $1) AS "isTaken"`,
)
const removeDomain = statement<object, [id: string]>('remove_domain', 'DELETE FROM team_domains WHERE id = $1')

const takenBy = (domain: string) => `Another team has already verified ${domain}.`

builder.mutationFields((t) => ({
  addTeamDomain: t.field({
    description: `Adds a domain of email addresses to a team, which then has to verify it with a TXT record. A team can have ${maxDomains}.`,
    type: TeamDomainPayload,
    requires: changeDomains,
    args: { input: t.arg({ type: AddTeamDomainInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id: teamId } = (await requireTeamAccess(context, input.team)).team
      const { domain: name } = parse(addRules, input)
      await requireOwnDomain(name)
      const value = `team-account-verification=${randomBytes(20).toString('base64url')}`
      const row = { id: randomUUID(), teamId, domain: name, value, createdAt: context.now() }
      const domain = { ...row, verifiedAt: null, checkedAt: null, missingSince: null }
      return change(context, info, async (transaction) => {
        const [, [usage]] = await Promise.all([lockTeam(transaction, teamId), countDomains(transaction, teamId, name)])
        if (usage?.isTaken) throw refused({ domain: [takenBy(name)] })
        if ((usage?.count ?? 0) >= maxDomains)
          throw refused({ domain: [`A team can have at most ${maxDomains} domains. Remove one first.`] })
        await unlessTaken('domain', insertRow(transaction, 'team_domains', row), `The team has already added ${name}.`)
        return { result: { domain }, ...auditedDomain(domain), after: { domain: name } }
      })
    },
  }),
  verifyTeamDomain: t.field({
    description:
      'Looks the TXT record of a domain up and marks the domain as verified. Refused if the record is missing, and if another team has verified the domain.',
    type: TeamDomainPayload,
    requires: changeDomains,
    args: { input: t.arg({ type: VerifyTeamDomainInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const domain = await findOwnDomain(context, input.id)
      const check = await checkRecord(context, domain)
      if (check.state === 'missing') throw refused({ id: [await explainMissing(context, domain, check.problem)] })
      if (check.state === 'unknown') throw refused({ id: [check.problem] })
      return change(context, info, async (transaction) => {
        const current = await lockDomain(transaction, domain.id)
        if (!current) throw notFound('the domain was removed')
        const now = context.now()
        const data = { verifiedAt: current.verifiedAt ?? now, checkedAt: now, missingSince: null }
        // The index decides between teams that verify the domain at the same time: the later one waits for the earlier one.
        await unlessTaken('id', updateRows(transaction, 'team_domains', { id: current.id }, data), takenBy(current.domain))
        return { result: { domain: { ...current, ...data } }, ...auditedDomain(current), isUnchanged: current.verifiedAt !== null }
      })
    },
  }),
  removeTeamDomain: t.field({
    description:
      'Removes a domain from a team. Another team can verify it then. The last verified domain of a team that requires sign-in through its provider cannot be removed.',
    type: TeamDomainPayload,
    requires: changeDomains,
    args: { input: t.arg({ type: RemoveTeamDomainInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id, teamId } = await findOwnDomain(context, input.id)
      return change(context, info, async (transaction) => {
        const { signInProviderId } = await lockTeam(transaction, teamId)
        const domain = await lockDomain(transaction, id)
        if (!domain) throw notFound('the domain was removed')
        const isNeeded = signInProviderId !== null && domain.verifiedAt !== null
        if (isNeeded && (await countVerifiedDomains(transaction, teamId)) === 1)
          throw refused({ id: ['The team requires sign-in for its verified domain. Turn that off first.'] })
        transaction.defer(removeDomain(transaction, id))
        if (domain.verifiedAt !== null) endSignInsAtProvider(transaction, { of: { teamId }, domain: domain.domain })
        return { result: { domain }, ...auditedDomain(domain), before: { domain: domain.domain } }
      })
    },
  }),
}))
