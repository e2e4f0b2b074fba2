import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { invalid } from '../../../schema/core/errors.ts'
import { presets } from '../../../schema/workload-identities/presets.ts'
import type { Condition } from '../../../schema/workload-identities/conditions.ts'
import type { PresetName } from '../../../schema/workload-identities/presets.ts'
import { Field, TextArea } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { list, text } from '../framework/field-types.ts'
import { PermissionTable } from '../tokens/new-token/permission-table.tsx'

/** The fields of the form with and without a preset. */
export const identityFields = z.object({
  name: text,
  issuer: text,
  projectId: text,
  environment: text,
  branch: text,
  conditions: text,
  scopes: list,
})
type Fields = z.output<typeof identityFields>

/** Returns the input of a mutation for an identity with an issuer and conditions as entered. */
export const buildOwnInput = ({ name, issuer, conditions, scopes }: Pick<Fields, 'name' | 'issuer' | 'conditions' | 'scopes'>) => ({
  name,
  issuer: issuer.trim(),
  conditions: conditionsIn(conditions),
  scopes,
})

/** Returns the input of a mutation for an identity with a preset. */
export function buildPresetInput(name: PresetName, fields: Fields) {
  const preset = presets[name]
  const [projectId, environment, branch] = [fields.projectId, fields.environment, fields.branch].map((value) => value.trim())
  const missingName = fields.name.trim() === '' && { name: ['Enter a name.'] }
  if (!/^\d{1,20}$/.test(projectId ?? ''))
    throw invalid({ ...missingName, projectId: [`Enter the number of the ${nouns[name]}, not its name.`] })
  const conditions = preset.listConditions({ projectId: projectId ?? '', environment, branch })
  if (preset.brokenRule(conditions) !== null) throw invalid({ ...missingName, environment: ['Enter an environment, a branch, or both.'] })
  return { name: fields.name, issuer: fields.issuer.trim() || preset.issuer, conditions, scopes: fields.scopes }
}

/** Parses one condition per line: `claim = value`. */
function conditionsIn(lines: string): Condition[] {
  return lines.split(/\r?\n/).flatMap((line) => {
    if (line.trim() === '') return []
    const at = line.indexOf('=')
    if (at < 0) throw invalid({ conditions: [`Write each condition as “claim = value”: “${line.trim()}” has no “=”.`] })
    return [{ claim: line.slice(0, at).trim(), value: line.slice(at + 1).trim() }]
  })
}

const nouns: Record<PresetName, string> = { github: 'repository', gitlab: 'project' }

export const NameField = ({ value }: { value?: string }) => (
  <Field name="name" label="Name" maxLength={255} autocomplete="off" value={value} hint="For example, the name of the job that uses it." />
)

/** The fields that describe the jobs of a provider with a preset. */
export const PresetFields = ({ preset }: { preset: PresetName }) => (
  <>
    <Field
      name="projectId"
      label={preset === 'github' ? 'Repository ID' : 'Project ID'}
      noun="a number"
      inputMode="numeric"
      maxLength={20}
      autocomplete="off"
      hint={
        preset === 'github' ? (
          <>
            The number of the repository, which does not change when the repository is renamed. To find it, run{' '}
            <code>gh api repos/OWNER/REPO --jq .id</code>
          </>
        ) : (
          'The number of the project, which does not change when the project is renamed. To find it, open Settings > General of the project.'
        )
      }
    />
    <Field
      name="environment"
      label="Environment"
      required={false}
      maxLength={255}
      autocomplete="off"
      value=""
      hint={
        preset === 'github'
          ? 'Only jobs in this environment, such as production. Protect the environment in GitHub: limit its branches or require a review.'
          : 'Optional. Only jobs in this environment, such as production.'
      }
    />
    <Field
      name="branch"
      label="Protected branch"
      required={false}
      maxLength={200}
      autocomplete="off"
      value=""
      hint={
        preset === 'github'
          ? 'Only jobs on this branch, such as main, which must be protected. Required if you do not enter an environment.'
          : 'Optional. Only jobs on this branch. If you leave it empty, jobs on all protected branches and tags.'
      }
    />
    {preset === 'gitlab' && (
      <Field
        name="issuer"
        label="GitLab URL"
        required={false}
        maxLength={255}
        autocomplete="off"
        value={presets.gitlab.issuer}
        hint="Change it if you use a self-managed GitLab."
      />
    )}
  </>
)

/** The group of the fields for the name of an identity and the jobs that can use it. */
export const JobsGroup = ({ children }: { children: ComponentChildren }) => (
  <FieldGroup id="trusted-jobs" title="Jobs" about="Only jobs whose ID token has all of these values get access.">
    {children}
  </FieldGroup>
)

interface TrustFieldsProps {
  issuer?: string
  conditions?: readonly Condition[]
}

/** The fields for the issuer and the conditions. */
export const TrustFields = ({ issuer, conditions = [] }: TrustFieldsProps) => (
  <>
    <Field
      name="issuer"
      label="Issuer"
      noun="a URL"
      maxLength={255}
      autocomplete="off"
      placeholder="https://ci.example.com"
      value={issuer}
      hint="Exactly as in the iss claim of the ID tokens."
    />
    <TextArea
      name="conditions"
      label="Conditions"
      noun="conditions"
      rows={5}
      value={conditions.map(({ claim, value }) => `${claim} = ${value}`).join('\n')}
      hint="2 to 10 claims, one per line, as “claim = value”. At least one must be sub or an ID that never changes. Values are compared exactly."
    />
  </>
)

export const PermissionsField = ({ initial = [] }: { initial?: readonly string[] }) => (
  <FieldGroup id="permissions" title="Permissions" about="Choose only what the job needs. Write access does not include read access.">
    <PermissionTable scopes={tokenScopes} initial={initial} />
  </FieldGroup>
)
