import { Day } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { TeamAppsDocument } from '../generated/operations.ts'
import type { TeamAppsQuery } from '../generated/operations.ts'
import { productNames } from '../labels.ts'
import { DataTable } from '../table/data-table.tsx'
import { defineTable } from '../table/declaration.ts'

type App = TeamAppsQuery['team']['apps']['nodes'][number]

/** The table of the products that are connected to a team. There are at most eight, so it has no search and no order. */
const appsTable = defineTable({
  noun: ['product', 'products'],
  getName: ({ id }: App) => productNames[id],
  filters: {},
  columns: [
    { label: 'Product', phone: 'name', cell: (app, ctx) => <Named app={app} link={mayUse(app, ctx) ? getAppLink(app) : null} /> },
    {
      label: 'Status',
      phone: 'state',
      cell: ({ status }) => (
        <span class={`badge ${status === 'ACTIVE' ? 'good' : 'caution'}`}>{status === 'ACTIVE' ? 'Active' : 'Suspended'}</span>
      ),
    },
    {
      label: 'Your access',
      phone: 'state',
      isAllowed: ({ team }) => !team?.allApplications,
      cell: (app, ctx) => (mayUse(app, ctx) ? 'You can use it' : <span class="default">No access</span>),
    },
    { label: 'Connected', phone: 'detail', cell: ({ connectedAt }) => <Day at={connectedAt} /> },
  ],
  sort: '',
  empty: 'A product appears here when the team starts to use it.',
})

/** The products that are connected to a team. */
export const products = page({
  path: '/teams/:team/apps',
  title: 'Products',
  nav: { group: 'overview', icon: 'grid', order: 10 },
  document: TeamAppsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  view: ({ team: { apps } }, ctx) => {
    const usableFirst = apps.nodes.toSorted((one, other) => Number(mayUse(other, ctx)) - Number(mayUse(one, ctx)))
    return <DataTable table={appsTable} ctx={ctx} list={{ ...apps, nodes: usableFirst }} />
  },
})

/**
 * The name of a product, which is the same on all pages. It is a link if the user can open the product. The operator's name for this team's
 * product follows, if it differs.
 */
const Named = ({ app, link }: { app: App; link: string | null }) => (
  <>
    {link === null ? (
      <strong>{productNames[app.id]}</strong>
    ) : (
      <a href={link} rel="noreferrer">
        {productNames[app.id]}
      </a>
    )}
    {[app.name === productNames[app.id] ? null : app.name, app.description].map(
      (text) =>
        text !== null && (
          <>
            {' '}
            <span class="about">
              <bdi>{text}</bdi>
            </span>
          </>
        ),
    )}
  </>
)

/**
 * Returns the address of a product, or null while it is suspended or has none. Only web addresses become links, because other schemes, such
 * as `javascript:`, could run code.
 */
export const getAppLink = ({ status, url }: Pick<App, 'status' | 'url'>): string | null =>
  status === 'ACTIVE' && url !== null && /^https?:\/\//.test(url) ? url : null

/** Returns true if the user may use a product of the team. */
export const mayUse = ({ id }: Pick<App, 'id'>, { team }: PageContext): boolean =>
  team !== null && (team.allApplications || team.applications.some((each) => each.toUpperCase() === id))
