import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defaultPerPage, maxPerPage } from '../../schema/builder/pagination.ts'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { oauthScopes, scopes } from '../../schema/core/scopes.ts'
import { deliveryDays } from '../../schema/webhooks/rules.ts'
import { presets } from '../../schema/workload-identities/presets.ts'
import type { Preset } from '../../schema/workload-identities/presets.ts'
import { sampleJob } from '../../schema/workload-identities/sample-jobs.ts'
import { tokenPrefix } from '../../schema/tokens/token-value.ts'
import type { Problem } from '../http/problem.ts'
import { routes } from '../routes/index.ts'
import { acceptedScopes } from '../status-codes.ts'
import { pathSamples } from './examples.ts'
import { listPrograms, readPrograms, readSample, readSamples } from './samples.ts'
import type { Sample } from './samples.ts'
import { documentedPaths } from './security.ts'

const folder = path.join(projectFolder, 'rest-facade', 'openapi', 'guides')

/** The Markdown files of `guides/`, in this order. */
const names = ['authentication', 'services', 'workload-identities', 'scopes', 'errors', 'pagination', 'tokens', 'webhooks', 'agents']

/** Explanation of each error for clients, by its code. */
const meanings: Record<string, string> = {
  bad_request: 'The body is not valid JSON.',
  unauthenticated: 'No credential was sent, or it is unknown, expired or revoked.',
  insufficient_scope: 'The credential lacks the scope. `WWW-Authenticate` names the scopes that are sufficient.',
  team_forbidden: 'The team does not exist, or the credential cannot access it.',
  two_factor_required: 'The team requires two-factor authentication, which the user has not turned on.',
  sign_in_required: 'The team requires sign-in through its identity provider. The user has not signed in there, or not for long.',
  role_required: 'The role of the user in the team does not allow this.',
  not_found: 'The team has no resource with this identifier, or there is no such path.',
  cursor_expired: 'The cursor of the feed is older than the events that are kept. Start again without one.',
  precondition_failed: 'The resource has changed since you read it. Read it again.',
  content_too_large: 'The body is larger than 100 KiB.',
  unsupported_media_type: 'The body is not `application/json`.',
  validation_failed: 'A parameter or a member of the body is invalid.',
  last_owner: 'The change would leave the team without an owner.',
  already_member: 'The person already belongs to the team.',
  rate_limited: 'Too many requests. Wait for the seconds in `Retry-After`.',
  outcome_unknown:
    'The connection to the database was lost, and the change may or may not have been made. Read the resource before you retry, or retry with the same `Idempotency-Key`.',
  server_error: 'An error of the service. Repeat the request later.',
}

/**
 * Returns the guides at the start of the API reference, as Markdown. Replaces each `{{name}}` with the fact of that name, which is computed
 * from the declarations. Throws if there is no such fact, or if an error has no meaning above.
 */
export function guides(publicUrl: string, problems: readonly Problem[]): string {
  const facts: Record<string, string | number> = {
    publicUrl,
    personalPrefix: tokenPrefix.personal,
    teamPrefix: tokenPrefix.team,
    authorizationPath: documentedPaths.authorization,
    tokenPath: documentedPaths.token,
    scopeTable: scopeTable(),
    identityScopes: Object.values(scopes).filter(({ product }) => product === 'identity').length,
    errorTable: errorTable(problems),
    errorExample: JSON.stringify(problems.find(({ body }) => body.code === 'validation_failed')?.body, null, 2),
    pagedLists: pagedLists(),
    teamSlug: pathSamples.teamSlug ?? '',
    defaultPerPage,
    maxPerPage,
    deliveryDays,
    rotation: block('js', readSample('rotate-token.mjs')),
    serviceToken: block('js', readSample('service-token.mjs')),
    receivers: programs(readSamples()),
    listPrograms: programs(readPrograms(listPrograms)),
    githubWorkflow: block('yaml', getSample(presets.github, publicUrl)),
    gitlabJob: block('yaml', getSample(presets.gitlab, publicUrl)),
  }
  const fill = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const fact = facts[name]
      if (fact === undefined) throw new Error(`a guide names ${name}, which is not a fact`)
      return String(fact)
    })
  return names.map((name) => fill(readFileSync(path.join(folder, `${name}.md`), 'utf8'))).join('\n')
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Returns a job of a provider that calls the API as a workload identity. */
const getSample = ({ issuer, listConditions }: Preset, authUrl: string) =>
  sampleJob(issuer, {
    authUrl,
    id: 'CLIENT_ID',
    conditions: listConditions({ projectId: '1', environment: 'production', branch: 'main' }),
  }).code.trimEnd()

/** Returns a table of the scopes, with the permissions that each gives and the operations that accept it. */
function scopeTable(): string {
  const rows = oauthScopes.map((scope) => {
    const operations = routes.filter((route) => acceptedScopes(route).includes(scope)).map(({ summary }) => summary)
    return [`\`${scope}\``, scopes[scope].label, operations.join(', ') || '–']
  })
  return table(['Scope', 'Allows you to', 'Operations'], rows)
}

/** Returns a table of the error codes with their status codes. */
function errorTable(problems: readonly Problem[]): string {
  const rows = problems.map(({ status, body }) => {
    const meaning = meanings[String(body.code)]
    if (meaning === undefined) throw new Error(`the error ${String(body.code)} has no meaning for the guide`)
    return [String(status), `\`${String(body.code)}\``, meaning]
  })
  return table(['Status', 'Code', 'Meaning'], rows)
}

/** Returns a block of code in Markdown. */
const block = (syntax: string, code: string) => `\`\`\`${syntax}\n${code}\n\`\`\``

/** Returns programs, each below the name of its language. */
const programs = (samples: readonly Sample[]) =>
  samples.map(({ language, syntax, code }) => `#### ${language}\n\n${block(syntax, code)}`).join('\n\n')

/** Returns the names of the lists that have pages. */
function pagedLists(): string {
  const lists = routes.filter(({ response }) => response.kind === 'page').map(({ path: address }) => `\`${address.split('/').at(-1)}\``)
  return `The lists ${lists.slice(0, -1).join(', ')} and ${lists.at(-1)}`
}
