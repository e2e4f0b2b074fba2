import { maxTeamClients } from '../../../schema/oauth/team-clients/own-client.ts'
import { apiReferencePath, graphiqlPath } from '../../web/page-paths.ts'
import { AppMark } from '../../web/components/app-mark.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import { DeveloperAppsDocument } from '../generated/operations.ts'
import type { DeveloperAppPartsFragment, DeveloperAppsQuery } from '../generated/operations.ts'
import { DataTable } from '../table/data-table.tsx'
import { defineTable } from '../table/declaration.ts'
import { ChangesBadge, AppStateBadge } from './app-state.tsx'

export const developersPath = '/teams/:team/developers'

type App = DeveloperAppsQuery['team']['clients']['nodes'][number]

const table = defineTable({
  noun: ['app', 'apps'],
  getName: ({ name }: App) => name,
  filters: {},
  columns: [
    {
      label: 'App',
      phone: 'name',
      cell: ({ clientId, name }, { path }) => (
        <>
          <AppMark app={{ clientId, name }} isSmall />{' '}
          <a href={`${path}/${clientId}`}>
            <bdi>{name}</bdi>
          </a>
        </>
      ),
    },
    {
      label: 'Status',
      phone: 'state',
      // A row has only one badge, which fits on a phone: only a published app has changes in review.
      cell: (app) => (app.disabledAt === null && app.proposedChanges.length > 0 ? <ChangesBadge {...app} /> : <AppStateBadge {...app} />),
    },
    { label: 'Last used', phone: 'detail', cell: (app) => <LastUsed app={app} /> },
    { label: 'Connections', phone: 'detail', kind: 'amount', cell: ({ grants: { total } }) => total.toLocaleString('en') },
    { label: 'Refused requests', phone: 'detail', kind: 'amount', cell: (app) => <RefusedCount count={countRefused(app)} /> },
  ],
  sort: 'CREATED',
  empty: (
    <>
      An app signs users in and calls the API for them, or acts for your team without a user. Create one to get a client ID, and try it here
      before you write any code.
    </>
  ),
})

/** The apps that a team develops. */
export const apps = page({
  path: developersPath,
  title: 'Apps',
  nav: { group: 'developers', icon: 'code', order: 0 },
  document: DeveloperAppsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), perPage: maxTeamClients }),
  view: ({ team: { clients } }, ctx) => (
    <>
      <p>
        Your own apps sign users in and call the API, for a user or for your team. Read the <a href={apiReferencePath}>API reference</a> and{' '}
        <a href={`${apiReferencePath}#description/authentication`}>how apps authenticate</a>
        {ctx.site.hasGraphiql && (
          <>
            , or run queries in <a href={graphiqlPath}>GraphiQL</a>
          </>
        )}
        .
      </p>
      <DataTable
        table={table}
        ctx={ctx}
        list={{ ...clients, page: 1, lastPage: 1 }}
        actions={
          <NewApp isOpen={ctx.graphqlContext.clientRegistration !== 'closed'} isFull={clients.total >= maxTeamClients} path={ctx.path} />
        }
      />
    </>
  ),
})

const NewApp = ({ isOpen, isFull, path }: { isOpen: boolean; isFull: boolean; path: string }) => {
  if (!isOpen) return <span class="hint">Only operators of this service can register apps.</span>
  if (isFull) return <span class="hint">A team can have {maxTeamClients} apps. Delete one to create another.</span>
  return (
    <a class="button" href={`${path}/new`}>
      New app
    </a>
  )
}

const RefusedCount = ({ count }: { count: number }) => (
  <span class={count === 0 ? 'default' : 'badge caution'}>{count.toLocaleString('en')}</span>
)

const countRefused = ({ failures }: App) => failures.reduce((sum, { count }) => sum + count, 0)

/** The time at which the app was last used, for a user or for the team. */
export const LastUsed = ({ app: { grants, lastUsedAt } }: { app: Pick<DeveloperAppPartsFragment, 'grants' | 'lastUsedAt'> }) => (
  <RelativeTime
    at={[grants.nodes[0]?.lastUsedAt, lastUsedAt]
      .filter((time) => typeof time === 'string')
      .toSorted()
      .at(-1)}
  />
)
