import type { GraphQLOutputType } from 'graphql'
import { isEnumType } from 'graphql'
import { auditActionType } from '../builder/audit-actions-plugin.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import type { Principal, RegistrationActor, SystemPrincipal } from '../core/principals.ts'

const addedLater: Readonly<Record<string, { value: string }>> = {}

/** The values of the enum are the audited mutations; schema/builder/audit-actions-plugin.ts adds them. */
export const AuditActionType = builder.enumType(auditActionType, {
  description: 'What was done: a mutation that writes audit entries, an operation at the command line, or what happened by time.',
  values: addedLater,
})

/** Returns the action if it is a value of the enum, or null: an entry may have the name of an action that was removed since. */
export const toListedAction = (action: string, type: GraphQLOutputType): string | null =>
  isEnumType(type) && type.getValues().some(({ value }) => value === action) ? action : null

export const ActorKindType = enumType('ActorKind', 'A kind of principal that changes something.', {
  user: 'A user, through one of their credentials.',
  team: 'A service of a team: with a team token or an initial access token, as a client, or as a workload identity.',
  anonymous: 'A visitor of the account site who is not signed in.',
  staff: 'A user who acts as staff of the service. `reason` says why.',
  operator: 'An operator of the service at the command line.',
  system: 'The service itself: what happens by time.',
} satisfies Record<Actor['kind'], string>)

export const AuthenticationMethodType = enumType('AuthenticationMethod', 'How the actor of a change was authenticated.', {
  session: 'A session of the account site.',
  oauth: 'An access token of an OAuth client.',
  personal_token: 'A personal access token.',
  team_token: 'A team access token.',
  client: 'A client of the team, with its own secret or key.',
  workload_identity: 'A workload identity of the team.',
  initial_access_token: 'An initial access token of the team, which registers clients.',
  account_site: 'None: a page of the account site, for example one that a link in an email opens.',
  command_line: 'The command line of the service.',
  schedule: 'None: the service itself did it at its time.',
} satisfies Record<Actor['authenticationMethod'], string>)

type Actor = Principal | RegistrationActor | SystemPrincipal
export type ActorKind = Actor['kind']
export type AuthenticationMethod = Actor['authenticationMethod']
