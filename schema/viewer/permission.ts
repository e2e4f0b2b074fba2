import { getNamedType, isInputObjectType, isObjectType } from 'graphql'
import type { GraphQLField, GraphQLSchema } from 'graphql'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import type { Context } from '../core/context.ts'
import { DomainError, invalid } from '../core/errors.ts'
import { authorize, findRequirement } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { RoleType } from '../members/role.ts'
import { checkKinds, runChecks, isReason, reasons } from './permission-checks.ts'
import type { Check, TeamOfField, Reason } from './permission-checks.ts'
import { ViewerType } from './viewer.ts'

interface Permission {
  reason: Reason | null
  requirement: Requirement
  checks: Check[]
}

const ReasonType = enumType('PermissionReason', 'Why a caller may not use a field: the code of the error that it returns.', reasons)

const CheckType = builder.objectRef<Check>('PermissionCheck').implement({
  description: 'One of the conditions for using a field.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: enumType('PermissionCheckKind', 'A condition for using a field.', checkKinds),
      description: 'What is checked.',
    }),
    isMet: t.boolean({ description: 'Whether the condition is met now.', resolve: ({ reason }) => reason === null }),
    reason: t.expose('reason', { type: ReasonType, nullable: true, description: 'The code if it is not met; null if it is.' }),
    message: t.string({
      description: 'Why it is not met, as a message for people; null if it is met.',
      nullable: true,
      resolve: ({ reason }) => reason && reasons[reason],
    }),
    needed: t.exposeStringList('needed', {
      description: 'The scopes, roles, kinds of credential, slug or product, any one of which is needed.',
    }),
    present: t.exposeStringList('present', {
      description: 'Those that the caller has: the scopes of the credential, the role in the team. Compare them with `needed`.',
    }),
  }),
})

const PermissionType = builder.objectRef<Permission>('Permission').implement({
  description: 'Whether the caller may use a field, and if not, why.',
  fields: (t) => ({
    isAllowed: t.boolean({
      description: 'Whether the caller may use the field now.',
      resolve: ({ reason }) => reason === null,
    }),
    reason: t.expose('reason', {
      type: ReasonType,
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
    explain: t.expose('checks', {
      type: [CheckType],
      description: 'Every condition, met or not, in the order of the checks. `reason` is that of the first that is not met.',
    }),
  }),
})

builder.objectField(ViewerType, 'can', (t) =>
  t.field({
    description: 'Whether the caller may use a field of the schema, decided as if the field were used now.',
    type: PermissionType,
    args: {
      field: t.arg.string({ required: true, description: 'The field, such as `Mutation.updateTeam` or `Team.invoices`.' }),
      team: t.arg.string({
        description:
          'Slug of the team; required for fields of a team and mutations that need a role in it, and checked for other fields that take a team.',
      }),
    },
    resolve: async (_, { field, team }, context, { schema }) => {
      const definition = getDefinition(schema, field)
      // The fields of `Staff` have no requirement of their own: only `Query.staff` leads to them.
      const guard = field.startsWith('Staff.') ? getDefinition(schema, 'Query.staff') : definition
      const requirement = findRequirement(guard.extensions) ?? { scopes: [] }
      const needsTeam = requirement.roles !== undefined || field.startsWith('Team.')
      if (needsTeam && team == null) throw invalid({ team: ['The team field is required.'] })
      const isOutsideOfTeams = requirement.isTeamDeleted === true || requirement.isStaffOnly === true
      const isChecked = needsTeam || (takesTeam(definition) && !isOutsideOfTeams)
      const teamOfField = isChecked && team != null ? await findTeam(context, team) : null
      const checks = await runChecks(context, requirement, teamOfField)
      return { requirement, checks, reason: getReason(context, requirement, teamOfField) ?? checks.find(isApplication)?.reason ?? null }
    },
  }),
)

type Field = GraphQLField<unknown, Context>

function getDefinition(schema: GraphQLSchema, coordinate: string): Field {
  const [typeName = '', fieldName = '', ...others] = coordinate.split('.')
  const type = schema.getType(typeName)
  const field = isObjectType(type) && others.length === 0 ? type.getFields()[fieldName] : undefined
  if (!field) throw invalid({ field: ['The selected field is invalid.'] })
  return field
}

/** Returns true if an argument of a field, or a member of its input, is a team that the caller must be able to access. */
const takesTeam = ({ args }: Field) =>
  args.some(({ name, type }) => {
    const named = getNamedType(type)
    return ['team', 'teams', 'slug'].includes(name) || (isInputObjectType(named) && String(named.getFields().team?.type) === 'String!')
  })

async function findTeam(context: Context, slug: string): Promise<TeamOfField> {
  try {
    return { slug, access: await requireTeamAccess(context, slug) }
  } catch (error) {
    return { slug, reason: reasonIn(error) }
  }
}

/** Returns the reason why the field would be refused, from the function that refuses it. */
function getReason(context: Context, requirement: Requirement, team: TeamOfField | null): Reason | null {
  if (team && 'reason' in team) return team.reason
  try {
    authorize(context, requirement, team && team.access)
    return null
  } catch (error) {
    return reasonIn(error)
  }
}

function reasonIn(error: unknown): Reason {
  if (error instanceof DomainError && isReason(error.code)) return error.code
  throw error
}

const isApplication = ({ kind }: Check) => kind === 'application'
