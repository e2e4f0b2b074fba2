import type { Database } from '../../../prisma/connection/database.ts'
import { invalid } from '../../../schema/core/errors.ts'
import type { DomainError } from '../../../schema/core/errors.ts'
import { shownAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { allowsChanges, isScope, scopes } from '../../../schema/core/scopes.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import { isSignInOverdue } from '../../../schema/core/team-access/required-sign-in.ts'
import type { SignInClock } from '../../../schema/core/team-access/required-sign-in.ts'
import type { Client } from '../storage/stored-client.ts'
import { findDraft } from '../storage/draft.ts'
import type { DraftClient } from '../storage/draft.ts'
import { findSessionTeams } from '../storage/session-queries.ts'
import { findActiveUser, findContinuedGrant, findLiveGrants } from '../storage/live-grants.ts'
import { findUserTeams } from '../storage/user-teams.ts'

interface TeamOption {
  /** Internal key. */
  id: string
  slug: string
  name: string
}

/** The decision that the consent page asks the user for. It is computed again for each request. */
export interface ConsentRequest {
  client: Client
  user: { id: string; email: string }
  /** Scopes that cannot be declined, in the order of the catalogue. */
  required: Scope[]
  optional: Scope[]
  /** The user's teams by slug; null if grants of this client have no team. */
  teams: TeamOption[] | null
  /** Teams that the user cannot select, because they require two-factor authentication and the user has none. */
  teamsWithoutTwoFactor: TeamOption[]
  /** Teams that the user cannot select before signing in through the provider that they require. */
  teamsWithoutSignIn: TeamOption[]
  /** True if the session reaches only some teams of the user, so that the user can select only these. */
  isLimited: boolean
  /** The draft; null for a listed client. */
  draft: DraftClient | null
}

/** The value of the field `team` for all teams of the user. */
export const allTeams = '*'

/** The values of the consent form. */
export interface ConsentChoice {
  /** A slug or `allTeams`; empty if nothing is selected yet, null if the form has no team. */
  team: string | null
  scopes: readonly string[]
}

/** Returns null if the user no longer exists. `requested` is the `scope` of the authorization request. */
export async function findConsentRequest(
  database: Database,
  client: Client,
  session: { accountId: string; uid: string },
  requested: unknown,
  clock: SignInClock,
): Promise<ConsentRequest | null> {
  const { accountId: userId, uid } = session
  const user = await findActiveUser(database, userId)
  if (!user) return null
  const reached = await findSessionTeams(database, uid)
  const names = new Set(typeof requested === 'string' ? requested.split(' ') : [])
  const registered = new Set([...client.requiredScopes, ...client.optionalScopes])
  const requestable = Object.keys(scopes).filter((scope): scope is Scope => isScope(scope) && names.has(scope) && registered.has(scope))
  const teams =
    client.team === 'none'
      ? null
      : (await findUserTeams(database, client, userId, clock.now())).filter(({ id }) => reached === null || reached.includes(id))
  const lacks = ({ requiredSignInAt: at }: { requiredSignInAt: number | null }) => isSignInOverdue(at, clock)
  const isRequired = (scope: Scope) => client.requiredScopes.includes(scope) || !scopes[scope].declinable
  return {
    client,
    user: { id: user.id, email: shownAddress(user.email, user.name) },
    required: requestable.filter(isRequired),
    optional: requestable.filter((scope) => !isRequired(scope)),
    teams: teams && teams.filter((team) => !team.isOverdue && !lacks(team)).map(toOption),
    isLimited: reached !== null,
    draft: await findDraft(database, client, user.id, reached),
    teamsWithoutTwoFactor: (teams ?? []).filter(({ isOverdue }) => isOverdue).map(toOption),
    teamsWithoutSignIn: (teams ?? []).filter((team) => !team.isOverdue && lacks(team)).map(toOption),
  }
}

const toOption = ({ id, slug, name }: TeamOption): TeamOption => ({ id, slug, name })

/** Returns a value that identifies the contents of the consent page. The form is bound to it, which detects a change meanwhile. */
export const fingerprint = ({ client, user, required, optional, teams, isLimited, draft }: ConsentRequest) =>
  JSON.stringify([
    user.id,
    client.id,
    client.name,
    client.publisher,
    client.verified,
    client.team,
    required,
    optional,
    teams,
    isLimited,
    draft,
  ])

/** Returns the possible values of the field `team`: the user's teams, then all if the client's team is optional and all are reached. */
export const teamOptions = ({ client, teams, isLimited }: ConsentRequest): { value: string; team: TeamOption | null }[] => [
  ...(teams ?? []).map((team) => ({ value: team.slug, team })),
  ...(client.team === 'optional' && !isLimited ? [{ value: allTeams, team: null }] : []),
]

/**
 * Returns the initial values: the only possible team, or that of the grant with which the session would continue, and the scopes that only
 * read, except those that the user declined in a live grant of this client. `lastGrantId` is the grant that the session used last.
 */
export async function findInitialChoice(
  database: Database,
  consentRequest: ConsentRequest,
  lastGrantId: string | undefined,
  clock: SignInClock,
): Promise<InitialChoice> {
  const { client, user, optional } = consentRequest
  const options = teamOptions(consentRequest)
  const reached = new Set(options.map(({ team }) => team?.id ?? null))
  const all = await findLiveGrants(database, user.id, client.clientId, clock)
  const grants = consentRequest.isLimited ? all.filter(({ teamId }) => reached.has(teamId)) : all
  const declined = new Set(grants.flatMap(({ declinedScopes }) => declinedScopes))
  const earlier = findContinuedGrant(grants, lastGrantId)
  const [only] = options.length === 1 ? options : []
  const selected = only ?? (earlier && options.find(({ team }) => (team?.id ?? null) === earlier.teamId))
  return {
    team: selected?.value ?? '',
    scopes: optional.filter((scope) => !allowsChanges(scope) && !declined.has(scope)),
    granted: new Set(grants.flatMap(({ scopes }) => scopes).filter((scope) => !declined.has(scope))),
    connectedTeamIds: new Set(grants.map(({ teamId }) => teamId)),
  }
}

interface InitialChoice extends ConsentChoice {
  /** Scopes that the client already has, for any team. */
  granted: ReadonlySet<string>
  /** Internal keys of the teams that the client can already access. Null means all teams of the user. */
  connectedTeamIds: ReadonlySet<string | null>
}

export interface ConsentDecision {
  teamId: string | null
  granted: Scope[]
  declined: Scope[]
}

/** Converts a choice to a decision. Returns an error if no team is selected, and null if the page did not offer that choice. */
export function decideConsent(consentRequest: ConsentRequest, choice: ConsentChoice): ConsentDecision | DomainError | null {
  const { required, optional, teams } = consentRequest
  if (!choice.scopes.every((scope) => isScope(scope) && optional.includes(scope))) return null
  const options = teamOptions(consentRequest)
  const selectedTeam = teams ? options.find(({ value }) => value === choice.team) : choice.team === null && { team: null }
  if (!selectedTeam) return choice.team === '' && options.length > 0 ? invalid({ team: ['Choose a team.'] }) : null
  const isChecked = (scope: Scope) => choice.scopes.includes(scope)
  const declined = optional.filter((scope) => !isChecked(scope))
  return { teamId: selectedTeam.team?.id ?? null, granted: [...required, ...optional.filter(isChecked)], declined }
}
