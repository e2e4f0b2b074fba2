import { z } from 'zod'
import { maxDomains } from '../../../schema/domains/rules.ts'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form, useRefusal } from '../../web/components/forms/form.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { CopiedValues } from '../sign-in-settings/copied-value.tsx'
import { DomainBadge } from '../sign-in-settings/domain-badge.tsx'
import { AddTeamDomainDocument, RemoveTeamDomainDocument, TeamDomainsDocument, VerifyTeamDomainDocument } from '../generated/operations.ts'
import type { TeamDomainsQuery } from '../generated/operations.ts'

const byId = z.object({ id: text })

/** The email domains that a team has added, and their verification. For owners. */
export const domains = page({
  path: '/teams/:team/sign-in/domains',
  title: 'Domains',
  parent: '/teams/:team/sign-in',
  scripts: [copyScript],
  document: TeamDomainsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: {
    add: form({
      fields: z.object({ domain: text }),
      document: AddTeamDomainDocument,
      variables: ({ domain }, ctx) => ({ input: { team: ctx.param('team'), domain } }),
      notice: ({ addTeamDomain }) => `${addTeamDomain.domain.domain} was added. Publish its TXT record, then verify it.`,
    }),
    verify: form({
      fields: byId,
      document: VerifyTeamDomainDocument,
      variables: (input) => ({ input }),
      notice: ({ verifyTeamDomain }) => `${verifyTeamDomain.domain.domain} is verified.`,
    }),
    remove: form({
      fields: byId,
      document: RemoveTeamDomainDocument,
      variables: (input) => ({ input }),
      notice: ({ removeTeamDomain }) => `${removeTeamDomain.domain.domain} was removed.`,
    }),
  },
  view: ({ team }) => (
    <>
      <p>
        Verify the domains of your members’ email addresses. Members with an email address in a verified domain are offered your identity
        provider when they sign in, and you can require it.
      </p>
      {team.domains.map((domain, index) => (
        <DomainSection domain={domain} index={index} />
      ))}
      <FieldGroup id="add" title="Add a domain" about="You prove that your organization manages the domain by publishing a DNS record.">
        {team.domains.length >= maxDomains ? (
          <p class="hint">A team can have {maxDomains} domains. Remove one to add another.</p>
        ) : (
          <Form name="add">
            <Field
              name="domain"
              label="Domain"
              noun="a domain"
              maxLength={239}
              hint="The part of an email address after the @, such as example.com."
            />
            <Buttons>
              <Button>Add domain</Button>
            </Buttons>
          </Form>
        )}
      </FieldGroup>
    </>
  ),
})

type Domain = TeamDomainsQuery['team']['domains'][number]

const DomainSection = ({ domain: { domainId, domain, ...record }, index }: { domain: Domain; index: number }) => {
  const hidden = { id: domainId }
  return (
    <section id={`domain-${index}`}>
      <h2>
        {domain} <DomainBadge {...record} isRefused={useRefusal('verify', hidden) !== null} />
      </h2>
      <State {...record} />
      <DnsRecord {...record} index={index} />
      {record.checkedAt !== null && (
        <p class="hint">
          Last checked <RelativeTime at={record.checkedAt} />
        </p>
      )}
      <Buttons>
        <Form name="verify" hidden={hidden}>
          <Button kind={record.verifiedAt === null ? undefined : 'second'}>{record.verifiedAt === null ? 'Verify' : 'Check again'}</Button>
        </Form>
        <ConfirmDialog summary="Remove…" objectName={domain} form="remove" hidden={hidden} button="Remove this domain">
          Another team can then verify this domain. Members with an email address in the domain keep their accounts.
        </ConfirmDialog>
      </Buttons>
    </section>
  )
}

/** The record as the forms of DNS providers ask for it. */
const DnsRecord = ({ recordName, recordValue, index }: Pick<Domain, 'recordName' | 'recordValue'> & { index: number }) => (
  <CopiedValues
    values={[
      { id: `name-${index}`, label: 'Name of the TXT record', copied: 'name', value: recordName },
      { id: `value-${index}`, label: 'Value', copied: 'value', value: recordValue },
    ]}
  />
)

const State = ({ verifiedAt, missingSince }: Pick<Domain, 'verifiedAt' | 'missingSince'>) => {
  if (verifiedAt === null)
    return <p>Publish this TXT record at the provider of your domain. It can take up to an hour until the record is visible.</p>
  if (missingSince === null)
    return (
      <p>
        Verified since <DateTime at={verifiedAt} />. Keep the record: it is checked weekly.
      </p>
    )
  return (
    <p class="caution">
      The record has been missing since <DateTime at={missingSince} />. The domain is no longer verified after 14 days without it.
    </p>
  )
}
