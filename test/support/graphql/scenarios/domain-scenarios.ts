import type { TeamDomain } from '../../../../prisma/generated/client/client.ts'
import { unique } from '../../data/team.ts'
import { createDomain } from '../../domains/domain.ts'
import { publishTxt } from '../../domains/name-server.ts'
import type { Scenario, ScenarioContext, Scenarios } from './scenario.ts'

async function ofDomain(
  { service, team, principal }: ScenarioContext,
  data: Partial<TeamDomain>,
  rest: (domain: TeamDomain) => Partial<Scenario>,
): Promise<Scenario> {
  const domain = await createDomain(service.database, team, data)
  await publishTxt(service, `_team-account.${domain.domain}`, [domain.value])
  const { id } = domain
  return { principal, teamId: team.id, subject: id, subjectName: domain.domain, variables: { id }, ...rest(domain) }
}

const ofHosts = ({ id, slug }: ScenarioContext['team']) => ({ variables: { team: slug }, teamId: id, subject: slug, subjectName: 'Acme' })

/** Scenarios of the mutations that change the domains of a team, and the hosts of its agents. */
export const domainScenarios: Scenarios = {
  addTeamDomain: {
    document:
      'mutation ($team: String!, $domain: String!) { addTeamDomain(input: { team: $team, domain: $domain }) { domain { domain } } }',
    prepare: ({ team, principal }) => {
      const domain = `${unique('domain')}.example`
      return { principal, variables: { team: team.slug, domain }, teamId: team.id, subjectName: domain, after: { domain } }
    },
  },
  verifyTeamDomain: {
    document: 'mutation ($id: ID!) { verifyTeamDomain(input: { id: $id }) { domain { domain } } }',
    prepare: (context) => ofDomain(context, { verifiedAt: null, checkedAt: null }, () => ({})),
  },
  allowAgentHost: {
    document: 'mutation ($team: String!) { allowAgentHost(input: { team: $team, host: "agent.example.com" }) { team { slug } } }',
    prepare: ({ team, principal }) => ({ principal, ...ofHosts(team), after: { host: 'agent.example.com' } }),
  },
  removeAgentHost: {
    document: 'mutation ($team: String!) { removeAgentHost(input: { team: $team, host: "agent.example.com" }) { team { slug } } }',
    prepare: async ({ service, team, principal }) => {
      await service.database.prisma.team.update({ where: { id: team.id }, data: { agentHosts: ['agent.example.com'] } })
      return { principal, ...ofHosts(team), before: { host: 'agent.example.com' } }
    },
  },
  removeTeamDomain: {
    document: 'mutation ($id: ID!) { removeTeamDomain(input: { id: $id }) { domain { domain } } }',
    prepare: (context) => ofDomain(context, {}, ({ domain }) => ({ before: { domain } })),
  },
}
