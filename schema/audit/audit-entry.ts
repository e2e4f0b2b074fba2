import type { AuditEntry, Prisma } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { ActorKindType, AuditActionType, AuthenticationMethodType, toListedAction } from './audit-enums.ts'
import type { ActorKind, AuthenticationMethod } from './audit-enums.ts'
import type { Requirement } from '../core/requires.ts'

/** The requirement to see the changes made in a team. */
export const readAuditEntries: Requirement = { scopes: ['acct:team:audit:read'], roles: ['owner'] }

const valuesAsText = (values: Prisma.JsonValue) => (values === null ? null : JSON.stringify(values))

// Text in the database; only `change` in schema/core/audit/audit.ts and imports write them.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written from a principal
const getActorKind = ({ actorKind }: AuditEntry) => actorKind as ActorKind
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written from a principal
const getAuthenticationMethod = (entry: AuditEntry) => entry.authenticationMethod as AuthenticationMethod

// No field exposes the credential's identifier, because clients have no use for it.
export const AuditEntryType = builder.prismaObject('AuditEntry', {
  fields: (t) => ({
    entryId: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    action: t.field({
      type: AuditActionType,
      nullable: true,
      description: 'What was done; null for an action that no longer exists. `actionName` has its name.',
      resolve: ({ action }, _, __, { returnType }) => toListedAction(action, returnType),
    }),
    actionName: t.exposeString('action', {
      description: 'Name that the action had at that time: usually the name of a mutation, such as `updateTeam`.',
    }),
    actorKind: t.field({ type: ActorKindType, describedBy: 'AuditEntry.actorKind', resolve: getActorKind }),
    actorName: t.exposeString('actorName'),
    authenticationMethod: t.field({
      type: AuthenticationMethodType,
      describedBy: 'AuditEntry.authenticationMethod',
      resolve: getAuthenticationMethod,
    }),
    clientName: t.exposeString('clientName', { nullable: true }),
    subject: t.exposeString('subject'),
    subjectName: t.exposeString('subjectName', { nullable: true }),
    reason: t.exposeString('reason', { nullable: true }),
    before: t.string({
      nullable: true,
      description: 'Previous values as JSON, without secrets.',
      resolve: ({ before }) => valuesAsText(before),
    }),
    after: t.string({
      nullable: true,
      description: 'New values as JSON, without secrets.',
      resolve: ({ after }) => valuesAsText(after),
    }),
  }),
})
