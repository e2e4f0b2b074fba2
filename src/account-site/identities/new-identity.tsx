import { presetNames, presets } from '../../../schema/workload-identities/presets.ts'
import type { PresetName } from '../../../schema/workload-identities/presets.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { CreateWorkloadIdentityDocument, WorkloadIdentitiesDocument } from '../generated/operations.ts'
import { idempotencyKeyField } from '../tokens/idempotency-key.ts'
import {
  identityFields,
  JobsGroup,
  NameField,
  buildOwnInput,
  PermissionsField,
  PresetFields,
  buildPresetInput,
  TrustFields,
} from './identity-fields.tsx'
import { workloadIdentitiesPath } from './identities.tsx'

type Choice = PresetName | 'other'
const labels: Record<Choice, string> = { github: presets.github.label, gitlab: presets.gitlab.label, other: 'Other' }
const choices: readonly Choice[] = [...presetNames, 'other']

/** Returns the preset in the address of the page. Its form is sent to the same address. */
const readChoice = ({ query }: PageContext): Choice => choices.find((choice) => choice === query.get('preset')) ?? 'github'

/** Creates an identity. The page queries the identities, so that only users who can see them get the form. */
export const newIdentity = page({
  path: `${workloadIdentitiesPath}/new`,
  title: 'New workload identity',
  parent: workloadIdentitiesPath,
  recentSignIn: true,
  document: WorkloadIdentitiesDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: {
    create: form({
      fields: identityFields.extend({ idempotencyKey: text }),
      document: CreateWorkloadIdentityDocument,
      variables({ idempotencyKey, ...fields }, ctx) {
        const choice = readChoice(ctx)
        const input = choice === 'other' ? buildOwnInput(fields) : buildPresetInput(choice, fields)
        return { input: { team: ctx.param('team'), ...input, idempotencyKey } }
      },
      notice: 'The workload identity was created. Add the job below to your repository.',
      onSuccess: ({ createWorkloadIdentity: { identity } }, ctx) => `/teams/${ctx.param('team')}/identities/${identity.identityId}#job`,
    }),
  },
  view(_, ctx) {
    const choice = readChoice(ctx)
    return (
      <>
        <nav class="segments" aria-label="Provider">
          {choices.map((each) => (
            <a href={`${ctx.path}?preset=${each}`} aria-current={each === choice ? 'page' : undefined}>
              {labels[each]}
            </a>
          ))}
        </nav>
        <Form name="create" hidden={idempotencyKeyField(ctx)}>
          <JobsGroup>
            <NameField />
            {choice === 'other' ? <TrustFields /> : <PresetFields preset={choice} />}
          </JobsGroup>
          <PermissionsField />
          <Buttons>
            <Button>Create workload identity</Button>
          </Buttons>
        </Form>
      </>
    )
  },
})
