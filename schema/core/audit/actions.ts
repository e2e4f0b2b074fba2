import { auditedMutations } from './audited-mutations.ts'
import { otherActions } from './other-actions.ts'

/** The audited actions. Links, events and the pages of teams are derived from these rows. */
export const auditActions = { ...auditedMutations, ...otherActions }
type Rows = typeof auditActions

export type AuditAction = keyof Rows

/** An action in a team. */
export type TeamAction = { [Action in AuditAction]: Rows[Action] extends { events: unknown } ? Action : never }[AuditAction]

/** The name of an action as a value of the GraphQL enum: `createTeam` is `CREATE_TEAM`. */
export type EnumName<Action extends string> = Action extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? '' : '_'}${Uppercase<Letter>}${EnumName<Rest>}`
  : ''

/** A type of object that audit entries are about. */
export type AuditSubject = Extract<Rows[AuditAction], { subject: string }>['subject']

/** Sign-ins have no audit entries, except when they trust the browser. */
export type TrustingSignIn = Extract<AuditAction, 'completeSignIn' | 'completeSignInWithPasskey'>

const isAuditAction = (name: string): name is AuditAction => Object.hasOwn(auditActions, name)

/** Returns the action of a mutation. Building the schema fails if an audited mutation is not an action. */
export function toAuditAction(mutation: string): AuditAction {
  if (!isAuditAction(mutation)) throw new Error(`the mutation ${mutation} is no audited action`)
  return mutation
}
