import { updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { change } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { lockTeam } from '../core/database/locks.ts'
import { recentOwner } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { parse, refused } from '../core/validation.ts'
import { TeamPayload } from '../teams/mutations.ts'
import { agentHostRules, findBrokenHostRule, maxAgentHosts, readAgentHosts } from './allowed-hosts.ts'

const hostInput = (name: string) =>
  builder.inputType(name, {
    fields: (t) => ({
      team: t.string({ required: true, description: 'Slug of the team.' }),
      host: t.string({ required: true, description: 'The host, such as `app.example.com`, or the URL of a client on it.' }),
    }),
  })
const [AllowAgentHostInput, RemoveAgentHostInput] = [hostInput('AllowAgentHostInput'), hostInput('RemoveAgentHostInput')]

builder.mutationFields((t) => ({
  allowAgentHost: t.field({
    description: `Lets the members of a team connect the clients by URL of a host to the team. A team can allow ${maxAgentHosts} hosts. Changes nothing if the host is allowed already.`,
    type: TeamPayload,
    requires: recentOwner,
    args: { input: t.arg({ type: AllowAgentHostInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id } = (await requireTeamAccess(context, input.team)).team
      const { host } = parse(agentHostRules, input)
      const rule = findBrokenHostRule(context.outgoing, host)
      if (rule !== null) throw refused({ host: [`The :attribute field must ${rule}.`] })
      return changeHosts(context, info, id, host, (hosts) => {
        if (!hosts.includes(host) && hosts.length >= maxAgentHosts)
          throw refused({ host: [`A team can allow at most ${maxAgentHosts} hosts. Remove one first.`] })
        return { hosts: [...hosts, host], after: { host } }
      })
    },
  }),
  removeAgentHost: t.field({
    description:
      'Removes a host whose clients by URL the members of a team could connect. If not everyone can connect such clients, their tokens for the team are refused from the next request on. Changes nothing if the host is not allowed.',
    type: TeamPayload,
    requires: recentOwner,
    args: { input: t.arg({ type: RemoveAgentHostInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id } = (await requireTeamAccess(context, input.team)).team
      const { host } = parse(agentHostRules, input)
      return changeHosts(context, info, id, host, (hosts) => ({ hosts: hosts.filter((other) => other !== host), before: { host } }))
    },
  }),
}))

interface HostChange {
  hosts: string[]
  before?: { host: string }
  after?: { host: string }
}

/** Changes the hosts that a team allows. The version of the team stays the same, because its representation in REST has no hosts. */
const changeHosts = (context: Context, info: { fieldName: string }, teamId: string, host: string, apply: (hosts: string[]) => HostChange) =>
  change(context, info, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const current = await readAgentHosts(transaction, teamId)
    const { hosts: agentHosts, ...audited } = apply(current)
    const isUnchanged = agentHosts.includes(host) === current.includes(host)
    if (!isUnchanged) transaction.defer(updateRows(transaction, 'teams', { id: teamId }, { agentHosts }))
    return { result: { team }, teamId, subject: team.slug, subjectName: team.name, ...audited, isUnchanged }
  })
