import type { Request, Response } from 'express'
import { noTeams } from '../../../schema/core/team-access/lazy-teams.ts'
import type { AccountAttemptLimits } from '../../../schema/core/attempts/attempt-limit.ts'
import type { BrowserSession } from '../../../schema/core/browser-session.ts'
import type { Context } from '../../../schema/core/context.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import type { AnonymousPrincipal, TeamAccess, UserPrincipal } from '../../../schema/core/principals.ts'
import { isConfirmable } from '../../../schema/core/errors.ts'
import { findRefusal } from '../../../schema/core/requires.ts'
import type { Requirement } from '../../../schema/core/requires.ts'
import {
  accessibleTeams,
  teamsLackingSignIn,
  teamsLackingTwoFactor,
  teamsOfEndedSession,
} from '../../../schema/core/team-access/team-access.ts'
import { findVouchingProviders } from '../../../schema/core/team-access/session-reach.ts'
import type { VouchingProvider } from '../../../schema/core/team-access/session-reach.ts'
import type { TeamLackingTwoFactor } from '../../../schema/core/team-access/team-access.ts'
import type { Sessions } from '../../auth/sessions.ts'
import { confirmParameter } from '../../web/components/confirm-dialog.tsx'
import type { RefusedForm } from '../../web/components/forms/form.tsx'
import type { Brand } from '../../web/brand/brand.ts'
import { accountParameter } from '../../web/page-paths.ts'
import { createCookies } from '../../web/cookies.ts'
import type { Cookies } from '../../web/cookies.ts'
import type { FormsOfPage } from '../../web/send-page.tsx'
import { createBrowserSession } from './browser-session.ts'
import { findCurrentTeam } from './current-team.ts'
import { openAccountInPath } from './account-in-path.ts'
import { openTeamInPath } from './team-in-path.ts'

/** The client that sends a user to the sign-in page. */
export interface RequestingClient {
  clientId: string
  clientName: string
  loginHint: string
  /** True if the browser goes to the client afterwards; false for a device. */
  isReturnedTo: boolean
  /** True if the user of the session has signed in for the client already. */
  isSignedIn: boolean
}

/** Parts of the service that the account site needs. `src/app.ts` provides them. */
export interface SitePorts extends Pick<Ports, 'authUrl' | 'deriveSecret' | 'now' | 'signUp'> {
  /** True if the service has GraphiQL. */
  hasGraphiql: boolean
  attemptLimits: AccountAttemptLimits
  /** The company that runs the service and issues the invoices. */
  brand: Brand
  /** Logs once for each script in which invoices cannot be printed, because its fonts are not installed. */
  reportMissingFont(script: string): void
  sessions: Sessions
  /** Returns the client that waits for a sign-in in this browser, by the path of its interaction. Returns null for any other path. */
  requestingClient(request: Request, response: Response, path: string): Promise<RequestingClient | null>
  /** Creates the context of GraphQL operations. */
  createContext(principal: UserPrincipal | AnonymousPrincipal, requestId: string, browser: BrowserSession): Context
  /** Stores the team that a user opened last, in the background. */
  recordLastTeam(userId: string, teamId: string): void
  report(error: unknown, requestId?: string): void
}

/** One request to the account site. */
export interface PageContext {
  site: SitePorts
  request: Request
  response: Response
  /** The signed-in user, or anonymous. */
  principal: UserPrincipal | AnonymousPrincipal
  /** The signed-in user, or null. */
  signedIn: UserPrincipal | null
  /** The user whose account the pages show: the signed-in user, or the user whose account staff read in a support session. */
  person: UserPrincipal | null
  graphqlContext: Context
  /** The teams of the signed-in user, by slug. */
  teams: readonly TeamAccess[]
  /** Teams of the user that require two-factor authentication, now or soon, which the user or the session lacks. */
  teamsLackingTwoFactor: readonly TeamLackingTwoFactor[]
  /** Teams of the user that require a sign-in through a provider, now or soon, which the user or the session lacks. */
  teamsLackingSignIn: readonly TeamAccess[]
  /** Teams of the user whose owners ended the session there. */
  teamsOfEndedSession: readonly TeamAccess[]
  /** The providers that vouch for the user; null unless the session reaches only the teams of these providers. */
  vouchingProviders: readonly VouchingProvider[] | null
  /** Access to the team in the path, or null when the path has no team. */
  team: TeamAccess | null
  /** Set if the user reads the page as staff in a support session of the team or account, with the time when it ends. Nothing can be changed. */
  supportSession: { expiresAt: Date } | null
  /** The team whose area the navigation shows: the team in the path, or the team that this browser or the user opened last. */
  currentTeam: TeamAccess | null
  /** Start of the addresses of the pages of the account: empty, unless staff read those of another user. */
  pagesStart: string
  /** Path without the query. */
  path: string
  query: URLSearchParams
  /** Path with the query: the address of the page, to which its forms are sent. */
  url: string
  /** The confirmation that the address requests in place of the page, or null. Path and query are those of the page itself. */
  confirmation: string | null
  cookies: Cookies
  /** The refused form that the page shows again, or null. */
  refused: RefusedForm | null
  /** Properties of the forms on which the Content-Security-Policy of the page depends. */
  forms: FormsOfPage
  /** Returns a parameter of the path. */
  param(name: string): string
  /**
   * Returns true if the user meets the requirements of an operation, in the team of the path by default. A page hides operations that the
   * user cannot run. An old or insufficient sign-in does not count, because the page of the operation requests another one.
   */
  isAllowed(requirements: readonly Requirement[], team?: TeamAccess | null): boolean
}

const anonymous: AnonymousPrincipal = {
  kind: 'anonymous',
  authenticationMethod: 'account_site',
  name: 'anonymous',
  scopes: new Set(),
  teams: noTeams,
  expiresAt: null,
}

interface ContextOptions {
  /** True if the request concerns the team or account in its path. If false, it is not looked up. */
  needsTeam: boolean
  /** True for a page, which staff can read in a support session. */
  isPage?: boolean
}

/** Creates the context of a request. Throws `team_forbidden` if the user cannot access the team in the path. */
export async function createPageContext(
  site: SitePorts,
  request: Request,
  response: Response,
  { needsTeam, isPage = false }: ContextOptions = { needsTeam: true },
): Promise<PageContext> {
  const signedIn = response.locals.person ?? null
  const principal = signedIn ?? anonymous
  const cookies = createCookies(site, request, response)
  const ownContext = site.createContext(principal, response.locals.requestId, createBrowserSession(site, request, response, cookies))
  const teams = await accessibleTeams(ownContext, principal)
  const lacking = await teamsLackingTwoFactor(ownContext, principal)
  const { team: teamSlug, [accountParameter]: userId } = request.params
  const isOpened = needsTeam && signedIn
  const opened = isOpened && typeof teamSlug === 'string' ? await openTeamInPath(ownContext, teamSlug, request, isPage) : null
  const account = isOpened && typeof userId === 'string' ? await openAccountInPath(ownContext, userId, request) : null
  const team = opened?.team ?? null
  const support = (opened ?? account)?.support ?? null
  const graphqlContext = support?.context ?? ownContext
  const address = new URL(request.originalUrl, site.authUrl)
  const confirmation = address.searchParams.get(confirmParameter)
  if (confirmation !== null) address.searchParams.delete(confirmParameter)
  const { pathname, search, searchParams } = address
  // An error page may have no team in its route, so the teams are searched.
  const teamInPath = team ?? teams.find(({ team: { slug } }) => `${pathname}/`.startsWith(`/teams/${slug}/`)) ?? null
  if (signedIn && teamInPath && !support && teamInPath.team.id !== signedIn.lastTeamId)
    site.recordLastTeam(signedIn.user.id, teamInPath.team.id)
  return {
    site,
    request,
    response,
    principal,
    signedIn,
    person: account?.person ?? signedIn,
    graphqlContext,
    teams,
    teamsLackingTwoFactor: lacking,
    teamsLackingSignIn: await teamsLackingSignIn(ownContext, principal),
    teamsOfEndedSession: await teamsOfEndedSession(ownContext, principal),
    vouchingProviders: await findVouchingProviders(ownContext, principal),
    team,
    supportSession: support && { expiresAt: support.expiresAt },
    currentTeam: support && team ? team : findCurrentTeam(cookies, teamInPath, teams, signedIn?.lastTeamId ?? null),
    pagesStart: account?.pagesStart ?? '',
    path: pathname,
    query: searchParams,
    url: pathname + search,
    confirmation,
    cookies,
    refused: null,
    forms: {},
    param(name) {
      const value = request.params[name]
      if (typeof value !== 'string') throw new Error(`the path has no parameter ${name}`)
      return value
    },
    isAllowed: (requirements, within = team) =>
      requirements.every((requirement) => {
        const refusal = findRefusal(graphqlContext, requirement, within)
        return refusal === null || isConfirmable(refusal)
      }),
  }
}
