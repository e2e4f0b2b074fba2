import type { Condition } from './conditions.ts'

/** The values that a person enters for a job of a known provider. */
export interface PresetFields {
  /** The number of the repository or project, which it keeps when it is renamed; another one with its old name has a different number. */
  projectId: string
  /** The environment that the job deploys to. */
  environment?: string | undefined
  /** The branch that the job runs on, which must be protected. */
  branch?: string | undefined
}

/** A provider of CI jobs whose ID tokens are known. */
export interface Preset {
  label: string
  /** The issuer of the hosted service; self-managed ones have their own. */
  issuer: string
  /** Whether the ID tokens of an issuer are known to be of this provider. */
  issues(issuer: string): boolean
  /** Makes the conditions. */
  conditionsOf(fields: PresetFields): Condition[]
  /** The rule that conditions break, to follow "must"; null if they break none. */
  brokenRule(conditions: readonly Condition[]): string | null
  /** How the provider writes claims that people confuse: a condition with another value is never met. */
  forms: Readonly<Record<string, { pattern: RegExp; example: string }>>
  /** The claim with the event that started the job. Tokens without it are refused. */
  eventClaim: string
  /** The values of claims in jobs that can run the code of a fork. Tokens with one are refused, whatever the conditions say. */
  forkClaims: Readonly<Record<string, RegExp>>
}

const isTrue = { value: 'true' }
const isNumber = /^\d{1,20}$/
const truth = { pattern: /^(?:true|false)$/, example: 'true' }
const kindOfRef = { pattern: /^(?:branch|tag)$/, example: 'branch' }
const fullRef = { pattern: /^refs\//, example: 'refs/heads/main' }
const has = (conditions: readonly Condition[], claim: string, value?: RegExp | string) =>
  conditions.some(
    (each) => each.claim === claim && (value instanceof RegExp ? value.test(each.value) : (value ?? each.value) === each.value),
  )

const github: Preset = {
  label: 'GitHub Actions',
  issuer: 'https://token.actions.githubusercontent.com',
  // Also that of an enterprise, of data residency (`token.actions.<name>.ghe.com`), and of GitHub Enterprise Server.
  issues: (issuer) => /^https:\/\/token\.actions\.|\/_services\/token\/?$/.test(issuer),
  conditionsOf: ({ projectId, environment, branch }) => [
    { claim: 'repository_id', value: projectId },
    ...(environment ? [{ claim: 'environment', value: environment }] : []),
    ...(branch
      ? [
          { claim: 'ref', value: `refs/heads/${branch}` },
          { claim: 'ref_protected', ...isTrue },
        ]
      : []),
  ],
  brokenRule: (conditions) =>
    has(conditions, 'repository_id', isNumber) &&
    (has(conditions, 'environment') || (has(conditions, 'ref') && has(conditions, 'ref_protected', 'true')))
      ? null
      : 'have repository_id, a number, and either environment, or ref with ref_protected true, for GitHub Actions',
  forms: { ref: fullRef, ref_type: kindOfRef, ref_protected: truth },
  eventClaim: 'event_name',
  // In a workflow for a pull request, `repository` is the repository that the request goes to, also if the code comes from a fork.
  forkClaims: {
    event_name: /^pull_request/,
    ref: /^refs\/pull\//,
    workflow_ref: /@refs\/pull\//,
    job_workflow_ref: /@refs\/pull\//,
  },
}

const gitlab: Preset = {
  label: 'GitLab CI',
  issuer: 'https://gitlab.com',
  issues: (issuer) => issuer === gitlab.issuer,
  conditionsOf: ({ projectId, environment, branch }) => [
    { claim: 'project_id', value: projectId },
    // Any branch can name an environment in its `.gitlab-ci.yml`.
    { claim: 'ref_protected', ...isTrue },
    ...(environment ? [{ claim: 'environment', value: environment }] : []),
    // A tag can have the name of a branch.
    ...(branch
      ? [
          { claim: 'ref_type', value: 'branch' },
          { claim: 'ref', value: branch },
        ]
      : []),
  ],
  brokenRule: (conditions) =>
    has(conditions, 'project_id', isNumber) && has(conditions, 'ref_protected', 'true')
      ? null
      : 'have project_id, a number, and ref_protected true, for GitLab CI',
  forms: { ref: { pattern: /^(?!refs\/)/, example: 'main' }, ref_path: fullRef, ref_type: kindOfRef, ref_protected: truth },
  eventClaim: 'pipeline_source',
  forkClaims: {
    pipeline_source: /^(?:merge|external_pull)_request_event$/,
    ref: /^refs\/merge-requests\//,
    ref_path: /^refs\/merge-requests\//,
  },
}

/** The rule that a condition breaks which no job that gets a token can meet, to follow "must"; null if it breaks none. */
export function unmeetableRule({ forms, forkClaims, label }: Preset, { claim, value }: Condition): string | null {
  if (forkClaims[claim]?.test(value)) return `not have ${claim} ${value}: jobs that can run the code of a fork get no token`
  const form = forms[claim]
  return form && !form.pattern.test(value) ? `have ${claim} as ${label} writes it, such as ${form.example}` : null
}

/** The providers with a preset. */
export const presets = { github, gitlab } as const satisfies Record<string, Preset>

export const presetNames = ['github', 'gitlab'] as const satisfies (keyof typeof presets)[]
export type PresetName = (typeof presetNames)[number]

/**
 * The provider of an issuer, if it is known. A self-managed GitLab is recognized by the conditions of the identity: its issuer can have any
 * URL, and no other provider has these claims.
 */
export const presetOf = (issuer: string, conditions: readonly Condition[] = []): Preset | null =>
  Object.values(presets).find((preset) => preset.issues(issuer)) ?? (gitlab.brokenRule(conditions) === null ? gitlab : null)
