import { isolateName } from '../../web/display-name.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { DeveloperAppPartsFragment } from '../generated/operations.ts'
import { AppStateBadge, ChangesBadge } from './app-state.tsx'
import { developersPath } from './apps.tsx'

interface AppData {
  team: { client: DeveloperAppPartsFragment }
}

export const appPath = `${developersPath}/:client`
export const quickStartPath = `${appPath}/quick-start`
export const appSettingsPath = `${appPath}/settings`

/** What the declarations of the pages of an app have in common. */
export const appPage = {
  title: ({ team: { client } }: AppData) => isolateName(client.name),
  badge: ({ team: { client } }: AppData) => (
    <>
      <AppStateBadge {...client} /> <ChangesBadge {...client} />
    </>
  ),
  parent: developersPath,
  tabs: [
    { path: appPath, label: 'Overview' },
    { path: quickStartPath, label: 'Quick start' },
    { path: appSettingsPath, label: 'Settings' },
  ],
  variables: (ctx: PageContext) => ({ team: ctx.param('team'), client: ctx.param('client') }),
}
