import type { ConnectedAppStatus } from '../../prisma/generated/client/enums.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { notFound } from '../core/errors.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import { TeamType } from '../teams/team.ts'
import { ApplicationType, applicationId } from './application.ts'

const StatusType = enumType('ConnectedAppStatus', 'Whether a connected application is available to the team.', {
  active: 'Members can use it.',
  suspended: 'Members cannot use it at present.',
} satisfies Record<ConnectedAppStatus, string>)

const TeamConnectedAppType = builder.prismaObject('ConnectedApp', {
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

// REST routes serve both fields by compiled operations, in which the queries of `t.prismaField` and `t.relation` are
// not merged: the resolvers load the rows themselves.
builder.objectFields(TeamType, (t) => ({
  apps: t.field({
    description: 'All applications connected to the team, in the order of the `Application` enum.',
    type: pageType('TeamConnectedAppPage', TeamConnectedAppType),
    complexity: listComplexity,
    requires,
    args: pageArguments,
    resolve: async (team, args, { database }) => {
      const { page, perPage, offset } = slice(args)
      // There is at most one row for each application: one statement reads all of them and no second one counts them.
      const apps = await database.prisma.connectedApp.findMany({ where: { teamId: team.id }, orderBy: { application: 'asc' } })
      return { nodes: apps.slice(offset, offset + perPage), total: apps.length, page, perPage }
    },
  }),
  app: t.field({
    description: 'One connected application.',
    type: TeamConnectedAppType,
    requires,
    args: { id: t.arg.id({ required: true, description: 'Identifier of the application, such as `deploy`.' }) },
    resolve: async (team, { id }, { database }) => {
      const { data: application } = applicationId.safeParse(id)
      const where = application && { teamId_application: { teamId: team.id, application } }
      const app = where && (await database.prisma.connectedApp.findUnique({ where }))
      if (!app) throw notFound()
      return app
    },
  }),
}))
