import { ConnectedAppStatus } from '../prisma/generated/client/enums.ts'
import { ApplicationType, applicationId, enumType } from './application.ts'
import { builder } from './builder.ts'
import { notFound } from './errors.ts'
import { listComplexity, pageArguments, pageType, slice } from './pagination.ts'
import { TeamType } from './team.ts'

const StatusType = enumType('ConnectedAppStatus', 'Whether a connected application works for the team at present.', ConnectedAppStatus)

const TeamConnectedAppType = builder.prismaObject('ConnectedApp', {
  name: 'TeamConnectedApp',
  fields: (t) => ({
    id: t.expose('application', { type: ApplicationType }),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    url: t.exposeString('url', { nullable: true }),
    status: t.expose('status', { type: StatusType }),
    connectedAt: t.expose('connectedAt', { type: 'DateTime' }),
  }),
})

const requires = { scopes: ['acct:team:apps:read'] } as const

builder.objectFields(TeamType, (t) => ({
  apps: t.field({
    description: 'All applications connected to the team, in the order of their identifiers’ enumeration.',
    type: pageType('TeamConnectedAppPage', TeamConnectedAppType),
    complexity: listComplexity,
    requires,
    args: pageArguments,
    resolve: async (team, args, { database }) => {
      const { page, perPage, offset } = slice(args)
      // A team has as many as there are applications: one statement reads them all, the page is cut here.
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
      const application = applicationId.safeParse(id)
      const app =
        application.success &&
        (await database.prisma.connectedApp.findUnique({
          where: { teamId_application: { teamId: team.id, application: application.data } },
        }))
      if (!app) throw notFound()
      return app
    },
  }),
}))
