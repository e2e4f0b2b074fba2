import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core'
import { OperationTypeNode } from 'graphql'
import type { GraphQLFieldResolver } from 'graphql'
import type { Role } from '../prisma/generated/client/enums.ts'
import type { Context, Principal, Reach } from './context.ts'
import { forbidden } from './errors.ts'
import { authenticated, reachById, reachTeam } from './reach.ts'
import type { Scope } from './scopes.ts'

/** What an operation needs (decisions §5): stated once, as an option on its GraphQL field. */
export interface Requirement {
  /** Any one of these scopes; none where the way of authenticating alone decides. */
  scopes: readonly Scope[]
  /** The roles of which the person must have one; absent: any. */
  roles?: readonly Role[]
  /** A team token needs no scope here. */
  teamTokenNeedsNoScope?: boolean
  /** The ways of authenticating that may do this at all; absent: any. The operator always may. */
  via?: readonly Principal['via'][]
  /** In a session, the person proved who they are a short while ago: for what somebody at an unlocked screen must not do. */
  recentSignIn?: boolean
  /** What a mutation gives back shows this field without the scope: it was allowed to write it. */
  impliedByMutation?: boolean
}

/** For operators alone: no scope, role or session is enough. */
export const operatorOnly: Requirement = { scopes: [], via: [] }

/** For the account site alone, in the name of somebody who is not signed in. */
export const visitorOnly: Requirement = { scopes: [], via: ['account_site'] }

/** For whoever is at the account site, signed in or not: the links of mails are opened in any browser. */
export const siteOnly: Requirement = { scopes: [], via: ['account_site', 'session'] }

/** For people at the account site alone: what they are told and may change about their own account. */
export const sessionOnly: Requirement = { scopes: [], via: ['session'] }

/** The same for what somebody at an unlocked screen must not do. */
export const recentSession: Requirement = { ...sessionOnly, recentSignIn: true }

/** The person, in a session or by a token of their own. A client's grant and a team token are for less. */
const themselves = ['session', 'personal_token'] as const

/** Whoever acts for a team but a client: it would learn, or end, what else the team's people use. */
const theTeam = [...themselves, 'team_token'] as const

/** To see what a person allows clients: for the person. */
export const seeOwnGrants: Requirement = { scopes: ['acct:team:tokens:read'], via: themselves }

/** To take back what a person allows clients, or some of it. */
export const endOwnGrants: Requirement = { scopes: ['acct:team:members:write'], via: themselves }

/** To see who can touch a team, and who did. */
export const watchTeam: Requirement = { scopes: ['acct:team:tokens:read'], roles: ['owner'], via: theTeam }

/** To end the access of somebody's credential to a team. */
export const cutFromTeam: Requirement = { scopes: ['acct:team:members:write'], roles: ['owner'], via: theTeam }

/** For how long after signing in, or showing the password again, a session may do what is dangerous. */
const recentSignInSeconds = 15 * 60

/** Scope and role, in this order, then how recent the sign-in is; the team was reached before (decisions §1). */
export function authorize(context: Context, requirement: Requirement, reach: Reach | null): void {
  const principal = authenticated(context)
  if (principal.kind === 'operator') return
  if (requirement.via && !requirement.via.includes(principal.via)) throw forbidden('insufficient_scope', { scopes: [] })
  if (!hasScope(principal, requirement)) throw forbidden('insufficient_scope', { scopes: requirement.scopes })
  if (reach && requirement.roles && !requirement.roles.includes(reach.role)) throw forbidden('role_required')
  if (requirement.recentSignIn && !isRecent(principal, context.now())) throw forbidden('recent_sign_in_required')
}

/** Whether who asks proved it a short while ago. Only sessions are left open at a screen: others prove it with every request. */
export function isRecent(principal: Principal, now: Date): boolean {
  if (principal.kind !== 'user' || principal.via !== 'session') return true
  const { authenticatedAt } = principal
  return authenticatedAt !== null && now.getTime() - authenticatedAt.getTime() <= recentSignInSeconds * 1000
}

export function hasScope(principal: Principal, { scopes, teamTokenNeedsNoScope }: Requirement): boolean {
  if (principal.kind === 'operator') return true
  if (teamTokenNeedsNoScope && principal.kind === 'team') return true
  return scopes.length === 0 || scopes.some((scope) => principal.scopes.has(scope))
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      requires: RequiresPlugin<Types>
    }
    interface FieldOptions {
      /** Checked before the resolver runs; a field without it is open to whoever holds its parent. */
      requires?: Requirement
    }
  }
}

/**
 * The gate in front of every field that says `requires`: the team first, then scope and role. The team is the parent
 * of a team's field and `input.team` of a mutation. A field that finds its team by another way has only its scope
 * judged here, and its resolver calls `authorize` with the team it found.
 */
class RequiresPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>) {
    const { requires } = field.pothosOptions as { requires?: Requirement }
    return requires ? { ...field, extensions: { ...field.extensions, requires } } : field
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const requires = field.extensions?.requires as Requirement | undefined
    if (!requires) return resolve
    // What operators alone may do is judged by no team; a client's `team` is no slug.
    const find = field.parentType === 'Team' ? teamOfParent : requires.via?.length === 0 ? noTeam : teamOfInput
    return (parent, args, context, info) => {
      if (requires.impliedByMutation && info.operation.operation === OperationTypeNode.MUTATION) return resolve(parent, args, context, info)
      authenticated(context as Context)
      const reach = find(context as Context, parent, args)
      if (reach instanceof Promise)
        return reach.then((found) => {
          authorize(context as Context, requires, found)
          return resolve(parent, args, context, info)
        })
      authorize(context as Context, requires, reach)
      return resolve(parent, args, context, info)
    }
  }
}

type FindTeam = (context: Context, parent: unknown, args: object) => Reach | Promise<Reach> | null

const teamOfParent: FindTeam = (context, parent) => reachById(context, (parent as { id: string }).id)
const teamOfInput: FindTeam = (context, _, args) => {
  const slug = (args as { input?: { team?: unknown } }).input?.team
  return typeof slug === 'string' ? reachTeam(context, slug) : null
}
const noTeam: FindTeam = () => null

SchemaBuilder.registerPlugin('requires', RequiresPlugin)
