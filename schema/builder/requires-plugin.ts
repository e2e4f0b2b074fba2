import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core'
import { OperationTypeNode } from 'graphql'
import type { GraphQLFieldResolver } from 'graphql'
import type { Application } from '../../prisma/generated/client/enums.ts'
import type { Context } from '../core/context.ts'
import type { TeamAccess } from '../core/principals.ts'
import { forbidden } from '../core/errors.ts'
import { parseTokenId } from '../core/global-id.ts'
import { authorize, isOperatorOnly, ownTokenId, findRequirement, staffOnly } from '../core/requires.ts'
import { startAct } from '../core/staff/staff-acts.ts'
import { hasApplication } from '../core/team-access/application-access.ts'
import { getStaffReading } from '../core/team-access/staff-reading.ts'
import type { Requirement } from '../core/requires.ts'
import { requirePrincipal, requireTeamAccess, requireTeamAccessById } from '../core/team-access/team-access.ts'

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      requires: RequiresPlugin<Types>
    }
    interface FieldOptions {
      /** The requirement is checked before the resolver runs. A field without it is available to every caller who can access its parent. */
      requires?: Requirement
    }
  }
}

/**
 * Enforces the `requires` option of fields: access to the team first, then scope and role. The team is the parent of a
 * field of Team, and `input.team` of a mutation. For a field that finds its team in another way, only the scope is checked
 * here; its resolver calls `authorize` with the team.
 */
class RequiresPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>) {
    const { requires }: { requires?: Requirement } = field.pothosOptions
    if (!requires) return field
    const stored: Requirement = field.parentType === 'Mutation' ? { ...requires, mutates: true } : requires
    return { ...field, extensions: { ...field.extensions, requires: stored } }
  }

  override wrapResolve(
    declaredResolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const requires = findRequirement(field.extensions)
    if (!requires) return declaredResolve
    const resolve = requires.application ? withApplication(requires.application, declaredResolve) : declaredResolve
    // An operator-only field belongs to no team: `team` in its input may contain something other than a slug.
    const hasNoTeam = isOperatorOnly(requires) || requires.isTeamDeleted || requires.opensTeam
    const find = field.parentType === 'Team' ? teamOfParent : hasNoTeam ? noTeam : teamOfInput
    const { scopes, scopesInMutation } = requires
    const inMutation = scopesInMutation && { ...requires, scopes: [...scopes, ...scopesInMutation] }
    return (parent, args, contextValue, info) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder's options fix the type of the context
      const context = contextValue as Context
      const principal = requirePrincipal(context)
      if (requires.openToItself && ownTokenId(principal) === tokenOfInput(args)) return resolve(parent, args, context, info)
      const { staffRole } = requires
      const act = staffRole ? startAct(context, staffRole, isOperatorOnly(requires), args) : context
      if (act !== context) return resolve(parent, args, act, info)
      // The mutation has checked the access to the team, which it may have just created or deleted.
      if (inMutation && info.operation.operation === OperationTypeNode.MUTATION) {
        authorize(context, inMutation, null)
        return resolve(parent, args, context, info)
      }
      const recordReading = requires.openToStaff && getStaffReading(parent)
      if (recordReading) {
        authorize(context, staffOnly, null)
        if (requires.openToStaff === 'properties') return resolve(parent, args, context, info)
        return recordReading(context, field.name).then(() => resolve(parent, args, context, info))
      }
      const teamAccess = find(context, parent, args)
      if (teamAccess instanceof Promise)
        return teamAccess.then((access) => {
          authorize(context, requires, access)
          return resolve(parent, args, context, info)
        })
      authorize(context, requires, teamAccess)
      return resolve(parent, args, context, info)
    }
  }
}

/** Wraps a resolver. After scope and role, it checks that the user can use the application. */
const withApplication =
  (application: Application, resolve: GraphQLFieldResolver<unknown, object, object>): GraphQLFieldResolver<unknown, object, object> =>
  async (parent, args, contextValue, info) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder's options fix the type of the context
    if (!(await hasApplication(contextValue as Context, application))) throw forbidden('role_required')
    return resolve(parent, args, contextValue, info)
  }

type FindTeam = (context: Context, parent: unknown, args: object) => TeamAccess | Promise<TeamAccess> | null

const teamOfParent: FindTeam = (context, parent) => {
  if (typeof parent !== 'object' || parent === null || !('id' in parent)) throw new Error('the parent is not a team')
  return requireTeamAccessById(context, String(parent.id))
}
const teamOfInput: FindTeam = (context, _, args: { input?: { team?: unknown } }) => {
  const slug = args.input?.team
  return typeof slug === 'string' ? requireTeamAccess(context, slug) : null
}
const noTeam: FindTeam = () => null

const tokenOfInput = ({ input }: { input?: { id?: unknown } }) => parseTokenId(String(input?.id))

SchemaBuilder.registerPlugin('requires', RequiresPlugin)
