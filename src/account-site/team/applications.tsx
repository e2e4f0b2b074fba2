import { page } from '../framework/page.ts'
import { TeamAppsDocument } from '../generated/operations.ts'
import type { TeamAppsQuery } from '../generated/operations.ts'
import { appNames } from '../labels.ts'
import { Day } from '../../web/components/time.tsx'

type App = TeamAppsQuery['team']['apps']['nodes'][number]

/** The applications that are connected to a team. */
export const apps = page({
  path: '/teams/:team/apps',
  title: 'Products',
  nav: { section: 'team', label: 'Products', order: 40 },
  document: TeamAppsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  view: ({ team: { apps } }) => (
    <section class="data">
      <h2 id="apps">Connected products</h2>
      {apps.nodes.length > 0 ? <Rows apps={apps.nodes} /> : <p class="empty">No products are connected yet.</p>}
    </section>
  ),
})

const Rows = ({ apps }: { apps: readonly App[] }) => (
  <table class="rows" aria-labelledby="apps">
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
          <td data-label="Product">{appNames[id]}</td>
          <td data-label="Status">{status === 'ACTIVE' ? 'Active' : 'Suspended'}</td>
          <td data-label="Connected">
            <Day at={connectedAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** Only web addresses become links, since other schemes, such as `javascript:`, could run code. */
const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//.test(url)
