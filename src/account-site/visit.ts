import type { Request, Response } from 'express'
import type { Context, Ports, Reach, UserPrincipal, VisitorPrincipal } from '../../schema/context.ts'
import { authorize } from '../../schema/requires.ts'
import type { Requirement } from '../../schema/requires.ts'
import { DomainError } from '../../schema/errors.ts'
import { reachTeam } from '../../schema/reach.ts'
import type { Guesses } from '../guesses.ts'
import type { Sessions } from '../oidc/session.ts'
import type { Cookies } from './cookies.ts'
import { createCookies } from './cookies.ts'

/** Who asks a person to sign in, with where that leads in the end. */
export interface Asking {
  clientName: string
  loginHint: string
  redirectUri: string | null
}

/** What the account site needs, handed in by `src/app.ts`. */
export interface SitePorts extends Ports {
  guesses: Guesses
  sessions: Sessions
  /** Who asks, where `path` is that of an interaction of the authorization server. */
  whoAsks(path: string): Promise<Asking | null>
  /** Gives a schema operation its context. */
  contextOf(principal: UserPrincipal | VisitorPrincipal, requestId: string): Context
  report(error: unknown, requestId?: string): void
}

/** A form that was refused, as it was sent: shown again with what is wrong. */
export interface RefusedForm {
  name: string
  values: Readonly<Record<string, unknown>>
  error: DomainError
}

/** One request at the account site: who asks for which page. */
export interface Visit {
  site: SitePorts
  request: Request
  response: Response
  /** Who is signed in, or a visitor. */
  principal: UserPrincipal | VisitorPrincipal
  /** Who is signed in, or null. */
  person: UserPrincipal | null
  context: Context
  /** The team of the path, or null. */
  team: Reach | null
  /** Path without the query. */
  path: string
  query: URLSearchParams
  /** Path with the query: where the page is shown again as it is, and where its forms are sent. */
  address: string
  cookies: Cookies
  refused: RefusedForm | null
  /** Addresses outside to which a form of the page leads in the end, for the page's Content-Security-Policy. */
  leadsTo: string[]
  /** A parameter of the path. */
  param(name: string): string
  /** Whether the person may do what needs this: what they may not is not offered. */
  may(requirements: readonly Requirement[]): boolean
}

const visitor: VisitorPrincipal = {
  kind: 'visitor',
  via: 'account_site',
  name: 'visitor',
  scopes: new Set(),
  teams: [],
  expiresAt: null,
}

/** Throws `team_forbidden` for a team out of reach, unless what is asked for is about no team wherever it is asked for. */
export async function createVisit(
  site: SitePorts,
  person: UserPrincipal | null,
  request: Request,
  response: Response,
  isAboutTeam = true,
): Promise<Visit> {
  const principal = person ?? visitor
  const context = site.contextOf(principal, response.locals['requestId'] as string)
  const { team } = request.params
  const reach = isAboutTeam && typeof team === 'string' && person ? await reachTeam(context, team) : null
  const { pathname, search, searchParams } = new URL(request.originalUrl, site.authUrl)
  return {
    site,
    request,
    response,
    principal,
    person,
    context,
    team: reach,
    path: pathname,
    query: searchParams,
    address: pathname + search,
    cookies: createCookies(site, request, response),
    refused: null,
    leadsTo: [],
    param(name) {
      const value = request.params[name]
      if (typeof value !== 'string') throw new Error(`the path has no ${name}`)
      return value
    },
    may: (requirements) => requirements.every((requirement) => isAllowed(context, requirement, reach)),
  }
}

/** Showing the password again is asked for when it comes to it. */
function isAllowed(context: Context, requirement: Requirement, reach: Reach | null): boolean {
  try {
    authorize(context, { ...requirement, recentSignIn: false }, reach)
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}
