import { accessColumns, accessMenu } from '../access/access.tsx'
import type { AgentAccessPartsFragment, AgentsQuery } from '../generated/operations.ts'
import type { PageContext } from '../framework/page-context.ts'
import { defineTable } from '../table/declaration.ts'
import { Rows } from '../table/rows.tsx'

const { person, permissions, lastUsed } = accessColumns

const table = defineTable({
  noun: ['connected agent', 'connected agents'],
  getName: ({ name }: AgentAccessPartsFragment) => name,
  filters: {},
  columns: [
    {
      label: 'Agent',
      phone: 'name',
      cell: ({ name, metadataUrl }: AgentAccessPartsFragment) => (
        <span class="named">
          <bdi>{name}</bdi> <span class="about">{metadataUrl?.replace('https://', '') ?? 'Registered itself'}</span>
        </span>
      ),
    },
    { ...person, label: 'Member' },
    permissions,
    { ...lastUsed, phone: 'state' },
  ],
  sort: 'LAST_USED',
  empty: 'No one has connected an agent to this team yet.',
  menu: accessMenu,
})

interface ConnectedAgentsProps {
  list: NonNullable<AgentsQuery['owned']>['access']
  ctx: PageContext
}

/** The agents that members have connected to the team. */
export const ConnectedAgents = ({ list: { nodes, total }, ctx }: ConnectedAgentsProps) => (
  <section class="data" id="connected" aria-labelledby="rows">
    <div class="heading">
      <h2 id="rows">Connected agents</h2>
    </div>
    {total === 0 ? (
      <p>{table.empty}</p>
    ) : (
      <>
        <Rows table={table} ctx={ctx} nodes={nodes} />
        {total > nodes.length && (
          <p>
            These {nodes.length} of {total.toLocaleString('en')} were used most recently. All are under{' '}
            <a href={`/teams/${ctx.param('team')}/access`}>Access</a>.
          </p>
        )}
      </>
    )}
  </section>
)
