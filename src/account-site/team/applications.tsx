import { Day } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import { TeamAppsDocument } from '../generated/operations.ts'
import type { TeamAppsQuery } from '../generated/operations.ts'
import { productNames } from '../labels.ts'
import { DataTable } from '../table/data-table.tsx'
import { defineTable } from '../table/declaration.ts'

type App = TeamAppsQuery['team']['apps']['nodes'][number]

/** The products that are connected to a team. They are at most eight, so there is nothing to search or to sort. */
const appsTable = defineTable({
  noun: ['product', 'products'],
  nameOf: ({ id }: App) => productNames[id],
  filters: {},
  columns: [
    { label: 'Product', phone: 'name', cell: (app) => <Named app={app} /> },
    {
      label: 'Status',
      phone: 'state',
      cell: ({ status }) => (
        <span class={`badge ${status === 'ACTIVE' ? 'good' : 'caution'}`}>{status === 'ACTIVE' ? 'Active' : 'Suspended'}</span>
      ),
    },
    { label: 'Connected', phone: 'detail', cell: ({ connectedAt }) => <Day at={connectedAt} /> },
  ],
  sort: '',
  empty: 'A product appears here when the team starts to use it.',
})

/** The products that are connected to a team. */
export const apps = page({
  path: '/teams/:team/apps',
  title: 'Products',
  nav: { section: 'team', icon: 'grid', order: 40 },
  document: TeamAppsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  view: ({ team: { apps } }, ctx) => <DataTable table={appsTable} ctx={ctx} list={apps} />,
})

/** A product has the same name on all pages. What the operator calls it for this team follows, if that is another name. */
const Named = ({ app: { id, name, description, url } }: { app: App }) => (
  <>
    {isWebAddress(url) ? (
      <a href={url} rel="noreferrer">
        {productNames[id]}
      </a>
    ) : (
      <strong>{productNames[id]}</strong>
    )}
    {[name === productNames[id] ? null : name, description].map(
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

/** Only web addresses become links, since other schemes, such as `javascript:`, could run code. */
export const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//.test(url)
