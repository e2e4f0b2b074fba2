import { page } from '../declaration.ts'
import { TeamAppsDocument } from '../generated/operations.ts'
import type { TeamAppsQuery } from '../generated/operations.ts'
import { Table } from '../table.tsx'
import { appNames } from '../words.ts'
import { Day } from '../time.tsx'

type App = TeamAppsQuery['team']['apps']['nodes'][number]

/** The applications of a team. */
export const apps = page({
  path: '/teams/:team/apps',
  title: 'Applications',
  nav: { in: 'team', label: 'Applications', order: 40 },
  document: TeamAppsDocument,
  variables: (visit) => ({ team: visit.param('team') }),
  view: ({ team: { apps } }) => (
    <section>
      <h2 id="apps">Connected to the team</h2>
      {apps.nodes.length > 0 ? <Rows apps={apps.nodes} /> : <p class="empty">No application is connected yet.</p>}
    </section>
  ),
})

const Rows = ({ apps }: { apps: readonly App[] }) => (
  <Table labelledBy="apps">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Product</th>
        <th scope="col">Status</th>
        <th scope="col">Connected</th>
      </tr>
    </thead>
    <tbody>
      {apps.map(({ id, name, description, url, status, connectedAt }) => (
        <tr>
          <th scope="row">
            {isWebAddress(url) ? (
              <a href={url} rel="noreferrer">
                <bdi>{name}</bdi>
              </a>
            ) : (
              <bdi>{name}</bdi>
            )}{' '}
            {description !== null && (
              <span class="about">
                <bdi>{description}</bdi>
              </span>
            )}
          </th>
          <td>{appNames[id]}</td>
          <td>{status === 'ACTIVE' ? 'Active' : 'Suspended'}</td>
          <td>
            <Day at={connectedAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)

/** Nothing but an address of the web becomes a link: one with a scheme of its own could run something. */
const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//.test(url)
