import type { Condition } from './conditions.ts'

/** The values that a person enters for a job of a provider with a preset. */
export interface PresetFields {
  /** Number of the repository or project, which a new name does not change; another one with the old name has a different number. */
  projectId: string
  /** Environment to which the job deploys. */
  environment?: string | undefined
  /** Branch on which the job runs, which must be protected. */
  branch?: string | undefined
}

/** A provider of CI jobs for whose ID tokens the service has rules. */
export interface Preset {
  label: string
  /** Issuer of the hosted service; self-managed ones have their own. */
  issuer: string
  /** Returns true if the ID tokens of an issuer are always of this provider. */
  issues(issuer: string): boolean
  /** Builds the conditions. */
  listConditions(fields: PresetFields): Condition[]
  /** Returns the rule that conditions break, to follow "must"; null if they break none. */
  brokenRule(conditions: readonly Condition[]): string | null
  /** The form of claims that people often enter wrongly: a condition with another value is never met. */
  forms: Readonly<Record<string, { pattern: RegExp; example: string }>>
  /** Claim with the event that started the job. Tokens without it are refused. */
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
  // The pattern includes the issuers of an enterprise, of data residency (`token.actions.<name>.ghe.com`), and of GitHub Enterprise Server.
  issues: (issuer) => /^https:\/\/token\.actions\.|\/_services\/token\/?$/.test(issuer),
  listConditions: ({ projectId, environment, branch }) => [
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
  // In a workflow for a pull request, `repository` is the target repository, even if the code comes from a fork.
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
  listConditions: ({ projectId, environment, branch }) => [
    { claim: 'project_id', value: projectId },
    // The condition is needed because any branch can specify an environment in its `.gitlab-ci.yml`.
    { claim: 'ref_protected', ...isTrue },
    ...(environment ? [{ claim: 'environment', value: environment }] : []),
    // The condition is needed because a tag can have the name of a branch.
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

/** Returns the rule that a condition breaks which no job with a token can meet, to follow "must"; null if it breaks none. */
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
 * Returns the preset of an issuer, if there is one. A self-managed GitLab is recognized by the conditions of the identity: its issuer can
 * have any URL, and no other provider has these claims.
 */
export const findPreset = (issuer: string, conditions: readonly Condition[] = []): Preset | null =>
  Object.values(presets).find((preset) => preset.issues(issuer)) ?? (gitlab.brokenRule(conditions) === null ? gitlab : null)
