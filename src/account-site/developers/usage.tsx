import { ScopeSummary } from '../../web/components/scope-list.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { DeveloperAppQuery } from '../generated/operations.ts'
import { defineTable } from '../table/declaration.ts'
import { Rows } from '../table/rows.tsx'

type App = DeveloperAppQuery['team']['client']

/** The refused requests of the app, with the mistake that the developer should correct. */
export const FailuresSection = ({ failures }: Pick<App, 'failures'>) => (
  <section id="failures">
    <h2>Refused requests in the last 7 days</h2>
    {failures.length === 0 ? (
      <p>None.</p>
    ) : (
      <ul>
        {failures.map(({ message, count, lastAt }) => (
          <li>
            <bdi>{message}</bdi>{' '}
            <span class="about">
              {count === 1 ? 'once' : `${count.toLocaleString('en')} times`}, last on <DateTime at={lastAt} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </section>
)

type Connection = App['live']['nodes'][number]

const table = defineTable({
  noun: ['connection', 'connections'],
  getName: ({ member }: Connection) => member?.name ?? outsider,
  filters: {},
  columns: [
    { label: 'Who', phone: 'name', cell: ({ member }) => (member ? <bdi>{member.name}</bdi> : outsider) },
    { label: 'Permissions', phone: 'detail', cell: ({ scopes }) => <ScopeSummary scopes={scopes} /> },
    { label: 'Connected', phone: 'detail', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { label: 'Last used', phone: 'labelled state', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
  ],
  sort: 'LAST_USED',
  empty: 'No one has connected the app yet.',
})
const outsider = 'Someone outside the team'

/** The users who connected the app. It does not name people outside the team. */
export const UsageSection = ({ live: { nodes, total }, ctx }: Pick<App, 'live'> & { ctx: PageContext }) => (
  <section class="data" id="usage" aria-labelledby="rows">
    <div class="heading">
      <h2 id="rows">Connections</h2>
    </div>
    {total === 0 ? (
      <p>{table.empty}</p>
    ) : (
      <>
        <p>
          {total === 1 ? '1 account has' : `${total.toLocaleString('en')} accounts have`} connected the app
          {total > nodes.length && `; these ${nodes.length} used it most recently`}.
        </p>
        <Rows table={table} ctx={ctx} nodes={nodes} />
      </>
    )}
  </section>
)
