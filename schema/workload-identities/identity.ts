import type { Prisma } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { personColumns, PersonType } from '../teams/person.ts'
import { storedConditions } from './conditions.ts'
import type { Condition } from './conditions.ts'

const ConditionType = builder.objectRef<Condition>('ClaimCondition').implement({
  description: 'A claim that an ID token must have.',
  fields: (t) => ({
    claim: t.exposeString('claim', { description: 'The name of the claim.' }),
    value: t.exposeString('value', {
      description: 'Its value, which is compared exactly. Numbers and booleans in tokens compare by their text.',
    }),
  }),
})

/** Relations that are loaded with an identity. */
export const identityParts = { createdBy: personColumns } as const satisfies Prisma.WorkloadIdentityInclude
export type IdentityWithParts = Prisma.WorkloadIdentityGetPayload<{ include: typeof identityParts }>

export const WorkloadIdentityType = builder.prismaObject('WorkloadIdentity', {
  include: identityParts,
  fields: (t) => ({
    identityId: t.exposeID('id'),
    name: t.exposeString('name'),
    issuer: t.exposeString('issuer'),
    conditions: t.field({
      type: [ConditionType],
      describedBy: 'WorkloadIdentity.conditions',
      resolve: ({ conditions }) => storedConditions.parse(conditions),
    }),
    scopes: t.exposeStringList('scopes'),
    createdBy: t.field({
      type: PersonType,
      nullable: true,
      describedBy: 'WorkloadIdentity.createdBy',
      resolve: ({ createdBy }) => createdBy,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
  }),
})
