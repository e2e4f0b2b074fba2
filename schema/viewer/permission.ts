import { isObjectType } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import type { Context } from '../core/context.ts'
import { DomainError, invalid } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'
import { authorize, requirementOf } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access.ts'
import { RoleType } from '../members/role.ts'
import { ViewerType } from './viewer.ts'

const reasons = {
  team_forbidden: 'The credential cannot access the team, or there is no such team.',
  two_factor_required: 'The team requires two-factor authentication, which the user has not turned on.',
  insufficient_scope: 'The credential has none of the scopes.',
  role_required: 'The user has none of the roles in the team.',
  session_required: 'Only a session of the account site, or in some cases a personal access token, can do this.',
  recent_sign_in_required: 'The user must sign in again.',
  operator_only: 'Only an operator of the service can do this.',
  not_found: 'The field does not exist for the caller: only staff can use it.',
} satisfies { [Code in ErrorCode]?: string }
type Reason = keyof typeof reasons
const isReason = (code: string): code is Reason => Object.hasOwn(reasons, code)

interface Permission {
  reason: Reason | null
  requirement: Requirement
}

const PermissionType = builder.objectRef<Permission>('Permission').implement({
  description: 'Whether the caller may use a field, and if not, why.',
  fields: (t) => ({
    isAllowed: t.boolean({
      description: 'Whether the caller may use the field now.',
      resolve: ({ reason }) => reason === null,
    }),
    reason: t.expose('reason', {
      type: enumType('PermissionReason', 'Why a caller may not use a field: the code of the error that it returns.', reasons),
      nullable: true,
      description: 'Why the caller may not use the field; null if they may.',
    }),
    scopes: t.stringList({
      description: 'Any one of these scopes is needed; none if the list is empty.',
      resolve: ({ requirement }) => [...requirement.scopes],
    }),
    roles: t.field({
      type: [RoleType],
      nullable: true,
      description: 'Any one of these roles in the team is needed; null if every role may use the field.',
      resolve: ({ requirement }) => requirement.roles && [...requirement.roles],
    }),
  }),
})

builder.objectField(ViewerType, 'can', (t) =>
  t.field({
    description: 'Whether the caller may use a field of the schema, decided as if the field were used now.',
    type: PermissionType,
    args: {
      field: t.arg.string({ required: true, description: 'The field, such as `Mutation.updateTeam` or `Team.invoices`.' }),
      team: t.arg.string({ description: 'Slug of the team; required for fields of a team and mutations that need a role in it.' }),
    },
    resolve: async (_, { field, team }, context, { schema }) => {
      const requirement = requirementOfField(schema, field)
      const needsTeam = requirement.roles !== undefined || field.startsWith('Team.')
      if (needsTeam && team == null) throw invalid({ team: ['The team field is required.'] })
      return { requirement, reason: await reasonOf(context, requirement, needsTeam ? (team ?? null) : null) }
    },
  }),
)

function requirementOfField(schema: GraphQLSchema, coordinate: string): Requirement {
  const [typeName = '', fieldName = '', ...others] = coordinate.split('.')
  const type = schema.getType(typeName)
  const field = isObjectType(type) && others.length === 0 ? type.getFields()[fieldName] : undefined
  if (!field) throw invalid({ field: ['The selected field is invalid.'] })
  return requirementOf(field.extensions) ?? { scopes: [] }
}

async function reasonOf(context: Context, requirement: Requirement, team: string | null): Promise<Reason | null> {
  try {
    authorize(context, requirement, team === null ? null : await requireTeamAccess(context, team))
    return null
  } catch (error) {
    if (error instanceof DomainError && isReason(error.code)) return error.code
    throw error
  }
}
