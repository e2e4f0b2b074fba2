import { apiReferencePath, applicationsPath } from '../../web/page-paths.ts'
import { copyScript } from '../../web/components/copy-button.tsx'
import { revokeAccess } from '../access/revoke-access.tsx'
import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { AgentsDocument } from '../generated/operations.ts'
import { access } from '../access/access.tsx'
import { allowHost, HostsSection, removeHost } from './allowed-hosts.tsx'
import { ConnectSection } from './connect.tsx'
import { ConnectedAgents } from './connected-agents.tsx'
import { createInitialAccess, deleteInitialAccess, InitialAccessSection } from './initial-access.tsx'
import { ProviderAccessSection } from './provider-access.tsx'

export const agentsPath = '/teams/:team/developers/agents'

const isOwner = (ctx: PageContext) => ctx.isAllowed(access.requirements)

/** How to connect an agent. Owners also see the connected agents, and decide which ones can be connected. */
export const agents = page({
  path: agentsPath,
  title: 'Agents',
  nav: { group: 'developers', icon: 'agent', order: 5, isForEveryone: true },
  scripts: [copyScript],
  document: AgentsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), isOwner: isOwner(ctx) }),
  forms: {
    'revoke-access': revokeAccess,
    'allow-host': allowHost,
    'remove-host': removeHost,
    'create-token': createInitialAccess,
    'delete-token': deleteInitialAccess,
  },
  view: ({ owned }, ctx) => (
    <>
      <p>
        AI agents, such as Claude Code or GitHub Copilot, can look things up in this team for you and, if you allow it, change them.{' '}
        <a href={`${apiReferencePath}#description/connect-an-agent`}>How agents connect</a>
      </p>
      <ConnectSection ctx={ctx} />
      {owned ? (
        <>
          <ConnectedAgents list={owned.access} ctx={ctx} />
          <HostsSection hosts={owned.agents.allowedHosts} setting={ctx.graphqlContext.clientMetadataDocuments} />
          <InitialAccessSection tokens={owned.agents.initialAccessTokens} ctx={ctx} />
          <ProviderAccessSection providers={owned.identityProviders} team={ctx.param('team')} />
        </>
      ) : (
        <section>
          <h2>What owners decide</h2>
          <p>
            Owners of the team choose which agents can be connected. They see the agents that you have connected to the team, and can end
            their access. Your own connections are under <a href={applicationsPath}>Connected apps</a>.
          </p>
        </section>
      )}
    </>
  ),
})
