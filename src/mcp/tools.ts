import type { Tool as Definition } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { createRouteExecution } from '../../rest-facade/execute-route.ts'
import type { Content } from '../../rest-facade/response-body.ts'
import type { Route } from '../../rest-facade/route.ts'
import type { Context } from '../../schema/core/context.ts'
import type { TeamAccess } from '../../schema/core/principals.ts'
import { findRefusal } from '../../schema/core/requires.ts'
import { hasApplication } from '../../schema/core/team-access/application-access.ts'
import { oauthScopes } from '../../schema/core/scopes.ts'
import { accessibleTeams, requirePrincipal } from '../../schema/core/team-access/team-access.ts'
import { parse, text } from '../../schema/core/validation.ts'
import { argumentName, buildInputSchema, buildOutputSchema } from './tool-schemas.ts'

export interface Tool {
  route: Route
  /** The tool as `tools/list` returns it. */
  definition: Definition
  /** Executes the operation of the route with these arguments. */
  call(context: Context, connection: { destroyed: boolean }, sent: Record<string, unknown>): Promise<Content>
}

export const isReadOnly = ({ method }: Route) => method === 'get'

/** Returns the tools of the routes, by name. */
export const buildTools = (routes: readonly Route[], publicUrl: string): ReadonlyMap<string, Tool> =>
  new Map(routes.toSorted((a, b) => (a.tool < b.tool ? -1 : 1)).map((route) => [route.tool, buildTool(route, publicUrl)]))

function buildTool(route: Route, publicUrl: string): Tool {
  const execute = createRouteExecution(route, publicUrl)
  const names = route.pathParameters.map((name) => [name, argumentName(name)] as const)
  const inPath = z.object(Object.fromEntries(names.map(([, argument]) => [argument, text])))
  const queryNames = Object.keys(route.query?.shape ?? {})
  const outputSchema = buildOutputSchema(route)
  const [description = ''] = route.description.split(/\.(?: |$)/)
  return {
    route,
    definition: {
      name: route.tool,
      description,
      inputSchema: buildInputSchema(route),
      ...(outputSchema && { outputSchema }),
      annotations: { ...methodAnnotations[route.method], openWorldHint: false },
    },
    call(context, connection, sent) {
      const values = parse(inPath, sent)
      return execute(context, connection, {
        parameters: Object.fromEntries(names.map(([name, argument]) => [name, values[argument]])),
        query: Object.fromEntries(queryNames.flatMap((name) => (Object.hasOwn(sent, name) ? [[name, sent[name]]] : []))),
        readBody: () => sent,
      })
    },
  }
}

// A change that is made twice has the effect of one. An invitation that is sent twice is two emails, but overwrites nothing.
const methodAnnotations: Record<Route['method'], Record<string, boolean>> = {
  get: { readOnlyHint: true },
  patch: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  post: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
}

/** A longer slug of the only team is not listed, because each tool would repeat it (docs/decisions/agents.md#size). */
const maxListedSlug = 36

/**
 * Returns the definitions of the tools that the caller may use in at least one team, or could use with more scopes. Only the client of a
 * user can get more scopes: it sends the user to the consent page again.
 */
export async function listTools(tools: Iterable<Tool>, context: Context): Promise<Definition[]> {
  const principal = requirePrincipal(context)
  const withScopes =
    principal.authenticationMethod === 'oauth' ? { ...context, principal: { ...principal, scopes: new Set(oauthScopes) } } : context
  const teams = principal.kind === 'operator' ? [] : await accessibleTeams(context, principal)
  const [onlyTeam] = teams.length === 1 ? teams : []
  const slug = onlyTeam && onlyTeam.team.slug.length <= maxListedSlug ? onlyTeam.team.slug : null
  const definitions: Definition[] = []
  for (const { route, definition } of tools)
    if (await mayUse(route, withScopes, teams)) definitions.push(slug === null ? definition : withTeam(definition, slug))
  return definitions
}

async function mayUse({ pathParameters, operation: { requirements } }: Route, context: Context, teams: readonly TeamAccess[]) {
  for (const { application } of requirements) if (application && !(await hasApplication(context, application))) return false
  const candidates = pathParameters.includes('teamSlug') ? teams : [null]
  return candidates.some((team) => requirements.every((requirement) => findRefusal(context, requirement, team) === null))
}

/** Returns the definition with the slug of the caller's only team as the only value of `team_slug`. */
function withTeam(definition: Definition, slug: string): Definition {
  const { inputSchema } = definition
  if (!inputSchema.properties?.['team_slug']) return definition
  const properties = { ...inputSchema.properties, team_slug: { type: 'string', enum: [slug] } }
  return { ...definition, inputSchema: { ...inputSchema, properties } }
}
