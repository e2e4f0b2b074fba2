import type { ConnectedAppStatus } from '../../prisma/generated/client/enums.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { notFound } from '../core/errors.ts'
import { pageType } from '../builder/pagination.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { TeamType } from '../teams/team.ts'
import { ApplicationType, applicationId } from './application.ts'
import { appList } from './app-list.ts'
import type { AppOrder } from './app-list.ts'
import { parseIdentifier } from '../core/global-id.ts'

const StatusType = enumType('ConnectedAppStatus', 'Whether a product is available to the team.', {
  active: 'Members can use it.',
  suspended: 'Members cannot currently use it.',
} satisfies Record<ConnectedAppStatus, string>)

export const TeamConnectedAppType = builder.prismaObject('ConnectedApp', {
  name: 'TeamConnectedApp',
  fields: (t) => ({
    appId: t.expose('application', { type: ApplicationType }),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    url: t.exposeString('url', { nullable: true }),
    status: t.expose('status', { type: StatusType }),
    connectedAt: t.expose('connectedAt', { type: 'DateTime' }),
  }),
})

const requires = { scopes: ['acct:team:apps:read'] } as const

const AppOrderType = orderByType('TeamConnectedAppOrder', 'products', {
  app: 'The order of the `Application` enum.',
  name: 'The name, in upper or lower case.',
  connected: 'When the product was connected.',
} satisfies Record<AppOrder, string>)

builder.objectFields(TeamType, (t) => ({
  ...listFields(t, 'apps', {
    description: 'All products that the team uses.',
    page: pageType('TeamConnectedAppPage', TeamConnectedAppType),
    connection: connectionType('TeamConnectedApp', TeamConnectedAppType),
    requires,
    list: appList,
    args: {
      status: t.arg({ type: StatusType, description: 'Only products with this status.' }),
      orderBy: t.arg({ type: AppOrderType, description: 'The order; default that of the `Application` enum.' }),
    },
    query: ({ status, orderBy }) => ({ filters: { status }, orderBy: orderBy ?? { field: 'app', direction: 'asc' } }),
  }),
  app: t.field({
    description: 'One product that the team uses.',
    type: TeamConnectedAppType,
    requires,
    args: { id: t.arg.id({ required: true, description: 'Identifier of the product in REST, such as `deploy`, or its global id.' }) },
    resolve: async (team, { id }, { database }) => {
      const { data: application } = applicationId.safeParse(parseIdentifier(id, ['TeamConnectedApp'], team))
      const where = application && { teamId_application: { teamId: team.id, application } }
      const app = where && (await database.prisma.connectedApp.findUnique({ where }))
      if (!app) throw notFound()
      return app
    },
  }),
}))
