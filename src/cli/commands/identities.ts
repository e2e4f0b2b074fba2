import { tokenScopes } from '../../../schema/core/scopes.ts'
import type { Condition } from '../../../schema/workload-identities/conditions.ts'
import { presetNames, presets } from '../../../schema/workload-identities/presets.ts'
import type { PresetName } from '../../../schema/workload-identities/presets.ts'
import { readConfig } from '../../config/settings.ts'
import { createConfiguredRequests } from '../../outgoing/outgoing-requests.ts'
import { command, UsageError } from '../command.ts'
import { asOperator } from '../context.ts'
import {
  CreateWorkloadIdentityDocument,
  DeleteWorkloadIdentityDocument,
  IdentitiesDocument,
  IdentityDocument,
} from '../generated/operations.ts'
import type { IdentityOutputFragment } from '../generated/operations.ts'
import { readText } from '../terminal/input.ts'
import { table } from '../terminal/table.ts'
import { currentTerminal } from '../terminal/terminal.ts'

const identityById = { id: { stored: 'identity', description: 'identifier of the identity, as shown by identity list' } } as const

const trustOptions = {
  preset: { value: 'PRESET', values: presetNames, description: 'conditions of a known provider; the next three options belong to it' },
  'project-id': { value: 'NUMBER', description: 'number of the repository (GitHub) or project (GitLab)' },
  environment: { value: 'NAME', description: 'environment of the job' },
  branch: { value: 'NAME', description: 'protected branch of the job' },
  issuer: { value: 'URL', description: 'issuer of the ID tokens (default: that of the preset)' },
  condition: { value: 'CLAIM=VALUE', multiple: true, description: 'a claim that an ID token must have, besides those of the preset' },
} as const

interface Trust {
  preset: PresetName | undefined
  'project-id': string | undefined
  environment: string | undefined
  branch: string | undefined
  issuer: string | undefined
  condition: string[]
}

/** Returns the issuer and the conditions that the options describe. */
function getTrust({ preset: name, 'project-id': projectId, environment, branch, issuer, condition }: Trust) {
  const preset = name && presets[name]
  if (preset ? projectId === undefined : projectId !== undefined || environment !== undefined || branch !== undefined)
    throw new UsageError(preset ? '--preset needs --project-id NUMBER' : '--project-id, --environment and --branch need --preset')
  const url = issuer ?? preset?.issuer
  if (url === undefined) throw new UsageError('one of --preset PRESET and --issuer URL is required')
  const conditions = condition.map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`--condition ${text} is not CLAIM=VALUE`)
    return { claim: text.slice(0, at), value: text.slice(at + 1) }
  })
  return {
    issuer: url,
    conditions: [...(preset?.listConditions({ projectId: projectId ?? '', environment, branch }) ?? []), ...conditions],
  }
}

const inWords = (conditions: readonly Condition[]) => conditions.map(({ claim, value }) => `${claim}=${value}`).join(' ')

export const identityCreate = command({
  name: 'identity create',
  summary: 'Create a workload identity, so that CI jobs get tokens of a team without a secret',
  description: `A job whose ID token comes from the issuer and meets every condition gets a token of the team, which is valid for 15 minutes. A team
can have 50 workload identities.

Claims are compared exactly. At least one condition must be sub or an identifier that never changes, such as repository_id.`,
  options: {
    team: { value: 'SLUG', stored: 'team', required: true, description: 'slug of the team' },
    name: { value: 'NAME', required: true, description: 'name of the identity' },
    ...trustOptions,
    scope: { value: 'SCOPE', required: true, multiple: true, suggestions: tokenScopes, description: 'scope of its tokens' },
  },
  run: async ({ options: { team, name, scope, ...trust } }) => {
    const input = { team, name, scopes: scope, ...getTrust(trust) }
    const { identity } = (await asOperator((execute) => execute(CreateWorkloadIdentityDocument, { input }))).payload
    return { value: identity, text: `Created identity ${identity.id}. Jobs send it as client_id with the grant jwt-bearer.` }
  },
})

export const identityList = command({
  name: 'identity list',
  summary: 'List the workload identities of a team',
  options: { team: { value: 'SLUG', stored: 'team', required: true, description: 'slug of the team' } },
  run: async ({ options: { team: slug } }) => {
    const { team } = await asOperator((execute) => execute(IdentitiesDocument, { slug }))
    const rows = team.data.map(({ id, name, issuer, conditions, scopes, last_used_at }) => [
      name,
      scopes.join(' '),
      id,
      last_used_at,
      inWords(conditions),
      issuer,
    ])
    return { value: { data: team.data }, text: table(['name', 'scopes', 'id', 'last used', 'conditions', 'issuer'], rows) }
  },
})

export const identityDelete = command({
  name: 'identity delete',
  summary: 'Delete a workload identity and revoke its tokens',
  positionals: identityById,
  confirmation: ({ id }) => `Delete identity ${id}? Its jobs lose access immediately.`,
  run: ({ positionals: { id } }) =>
    asOperator(async (execute) => {
      const { identity } = (await execute(DeleteWorkloadIdentityDocument, { id })).payload
      return { value: identity, text: `Deleted identity ${identity.id}.` }
    }),
})

export const identityTest = command({
  name: 'identity test',
  summary: 'Check whether an ID token would be accepted',
  description: `Fetches the keys of the issuer and checks the token as the token endpoint does. If a claim differs, prints the first one with
the expected and the actual value. The token can still be used afterwards. The exit status is 1 if the token would be refused.`,
  positionals: identityById,
  options: { assertion: { value: 'FILE', required: true, description: 'file with the ID token; - for standard input' } },
  run: async ({ positionals: { id }, options: { assertion: file } }) => {
    const assertion = (await readText(file)).trim()
    const { workloadIdentity: identity } = await asOperator((execute) => execute(IdentityDocument, { id }))
    const refusal = await toCommandFailure(assertion, identity)
    if (refusal === null) return { value: { accepted: true, identity_id: identity.id }, text: 'The assertion would be accepted.' }
    const { message, claim, expected, actual } = refusal
    const values = claim === null ? [] : [`expected  ${expected ?? 'any'}`, `actual    ${actual ?? 'none'}`]
    return {
      value: { accepted: false, identity_id: identity.id, reason: message, claim, expected, actual },
      text: [`The assertion would be refused: ${message}`, ...values].join('\n'),
      status: 1,
    }
  },
})

/** Returns the reason why the token endpoint would refuse an assertion; null if it would accept it. */
async function toCommandFailure(assertion: string, identity: IdentityOutputFragment) {
  const config = readConfig(currentTerminal().settings)
  const outgoing = createConfiguredRequests(config)
  // This module is imported on demand, because other commands do not verify signatures.
  const { createIssuerKeys } = await import('../../../schema/workload-identities/assertions/issuer-keys.ts')
  const { RefusedAssertion, verifyAssertion } = await import('../../../schema/workload-identities/assertions/verify.ts')
  const now = () => new Date()
  try {
    await verifyAssertion(assertion, identity, { audience: config.authUrl, keys: createIssuerKeys({ outgoing, now }), now: now() })
    return null
  } catch (error) {
    if (error instanceof RefusedAssertion) return error
    throw error
  } finally {
    await outgoing.close()
  }
}
