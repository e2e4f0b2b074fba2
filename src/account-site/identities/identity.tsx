import { z } from 'zod'
import { sampleJob } from '../../../schema/workload-identities/sample-jobs.ts'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { CopyButton, copyScript } from '../../web/components/copy-button.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { FoldedSection } from '../../web/components/forms/folded-section.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { ScopeSummary } from '../../web/components/scope-list.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { isolateName } from '../../web/display-name.ts'
import { apiReferencePath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { DeleteWorkloadIdentityDocument, UpdateWorkloadIdentityDocument, WorkloadIdentityDocument } from '../generated/operations.ts'
import type { IdentityPartsFragment } from '../generated/operations.ts'
import { identityFields, JobsGroup, NameField, buildOwnInput, PermissionsField, TrustFields } from './identity-fields.tsx'
import { workloadIdentitiesPath, getProviderName } from './identities.tsx'

type Identity = IdentityPartsFragment

const getId = (ctx: PageContext) => ctx.param('identity')

/** A workload identity: the jobs that it trusts, a sample job, and the forms to change and delete it. */
export const identity = page({
  path: `${workloadIdentitiesPath}/:identity`,
  title: ({ team: { workloadIdentity } }) => isolateName(workloadIdentity.name),
  parent: workloadIdentitiesPath,
  scripts: [copyScript],
  document: WorkloadIdentityDocument,
  variables: (ctx) => ({ team: ctx.param('team'), id: getId(ctx) }),
  forms: {
    update: form({
      fields: identityFields.pick({ name: true, issuer: true, conditions: true, scopes: true }),
      document: UpdateWorkloadIdentityDocument,
      variables: (fields, ctx) => ({ input: { id: getId(ctx), ...buildOwnInput(fields) } }),
      notice: 'The workload identity was saved.',
    }),
    delete: form({
      fields: z.object({}),
      document: DeleteWorkloadIdentityDocument,
      variables: (_, ctx) => ({ input: { id: getId(ctx) } }),
      notice: 'The workload identity was deleted.',
      onSuccess: (_, ctx) => `/teams/${ctx.param('team')}/identities`,
    }),
  },
  view: ({ team: { workloadIdentity } }, ctx) => (
    <>
      <FactsSection identity={workloadIdentity} />
      <JobsSection identity={workloadIdentity} />
      <JobSection identity={workloadIdentity} authUrl={ctx.site.authUrl} />
      <FoldedSection id="update" title="Settings">
        <p>If you change the issuer or the conditions, existing tokens stop working. Removing a permission takes effect immediately.</p>
        <Form name="update">
          <JobsGroup>
            <NameField value={workloadIdentity.name} />
            <TrustFields {...workloadIdentity} />
          </JobsGroup>
          <PermissionsField initial={workloadIdentity.scopes} />
          <Buttons>
            <Button>Save</Button>
          </Buttons>
        </Form>
      </FoldedSection>
      <FieldGroup
        id="delete"
        title="Delete this workload identity"
        about="Its jobs can no longer get tokens, and their existing tokens stop working immediately."
        isDangerous
      >
        <ConfirmDialog summary="Delete…" objectName={workloadIdentity.name} form="delete" button="Delete this workload identity">
          Its jobs lose access immediately. You cannot undo this.
        </ConfirmDialog>
      </FieldGroup>
    </>
  ),
})

const FactsSection = ({ identity }: { identity: Identity }) => (
  <section>
    <Facts isNarrow>
      <Fact name="Provider">{getProviderName(identity)}</Fact>
      <Fact name="Permissions">
        <ScopeSummary scopes={identity.scopes} />
      </Fact>
      <Fact name="Client ID">
        <code>{identity.identityId}</code>
      </Fact>
      <Fact name="Last used">
        <RelativeTime at={identity.lastUsedAt} />
      </Fact>
      <Fact name="Created">
        <RelativeTime at={identity.createdAt} />
        {identity.createdBy && (
          <span class="about">
            by <bdi>{identity.createdBy.name}</bdi>
          </span>
        )}
      </Fact>
    </Facts>
  </section>
)

const JobsSection = ({ identity }: { identity: Identity }) => (
  <section id="conditions">
    <h2>Which jobs get a token</h2>
    <p>
      Jobs whose ID token is signed by <code>{identity.issuer}</code> and has these claims:
    </p>
    <ul>
      {identity.conditions.map(({ claim, value }) => (
        <li>
          <code>{claim}</code> is{' '}
          <strong>
            <bdi>{value}</bdi>
          </strong>
        </li>
      ))}
    </ul>
  </section>
)

const JobSection = ({ identity: { issuer, identityId, conditions }, authUrl }: { identity: Identity; authUrl: string }) => {
  const { file, code } = sampleJob(issuer, { authUrl, id: identityId, conditions })
  return (
    <section id="job">
      <h2>Sample job</h2>
      <p>
        Copy it to <code>{file}</code>. The{' '}
        <a href={`${apiReferencePath}#description/call-the-api-from-ci-without-a-stored-secret`}>guide</a> explains each step.
      </p>
      <div class="sample">
        <pre id="job-code" tabIndex={0} role="region" aria-label={file}>
          {code}
        </pre>
        <div class="copying">
          <CopyButton targetId="job-code">Copy</CopyButton>
        </div>
      </div>
    </section>
  )
}
