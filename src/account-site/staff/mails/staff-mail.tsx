import { z } from 'zod'
import { Address, Name } from '../../../web/components/address.tsx'
import { Fact, Facts } from '../../../web/components/facts.tsx'
import { DateTime } from '../../../web/components/time.tsx'
import { form } from '../../framework/form.ts'
import { page } from '../../framework/page.ts'
import { StaffMailDocument, StaffRetryMailDocument } from '../../generated/operations.ts'
import type { StaffMailQuery } from '../../generated/operations.ts'
import { listAddress } from '../../table/address.ts'
import { Act, reasonFields } from '../act.tsx'
import { staffMailsPath, staffTeamAt, staffUserAt } from '../staff-paths.ts'
import { formatMailKind, MailStateBadge } from './mail-state.tsx'

const sendAgain = form({
  fields: z.object(reasonFields),
  document: StaffRetryMailDocument,
  variables: (input, ctx) => ({ input: { ...input, id: ctx.param('mail') } }),
  notice: 'The email is sent again.',
})

/** One email of the outbox, without its content, and the act that sends it again. */
export const staffMail = page({
  path: `${staffMailsPath}/:mail`,
  title: ({ staff: { mail } }) => formatMailKind(mail.kind),
  badge: ({ staff: { mail } }) => <MailStateBadge state={mail.state} />,
  parent: staffMailsPath,
  document: StaffMailDocument,
  variables: (ctx) => ({ id: ctx.param('mail') }),
  forms: { 'send-again': sendAgain },
  view: ({ staff: { mail } }, ctx) => (
    <>
      <section>
        <MailFacts mail={mail} />
        {mail.isRetryable && (
          <Act
            ctx={ctx}
            name="send-again"
            form={sendAgain}
            summary="Send again…"
            button="Send again"
            isHarmless
            reasonHint="The recipient, or the owners of the team that invites, read it."
          >
            The email is sent now. If that fails, it is tried again for about three days.
          </Act>
        )}
      </section>
      {mail.lastError !== null && (
        <section>
          <h2>{mail.state === 'DROPPED' ? 'Why it was not sent' : 'Last error'}</h2>
          <p>
            <bdi>{mail.lastError}</bdi>
          </p>
        </section>
      )}
      <p>
        <a href={listAddress(staffMailsPath, ctx)}>Back to the emails</a>
      </p>
    </>
  ),
})

type Mail = StaffMailQuery['staff']['mail']

const MailFacts = ({ mail }: { mail: Mail }) => (
  <Facts>
    <Fact name="Recipient">
      {mail.recipient === null ? 'None: what the email is about no longer exists' : <Address>{mail.recipient}</Address>}
    </Fact>
    {mail.user && (
      <Fact name="User">
        <a href={staffUserAt(mail.user.userId)}>
          <Name>{mail.user.name}</Name>
        </a>
      </Fact>
    )}
    {mail.team && (
      <Fact name="Team">
        <a href={staffTeamAt(mail.team.slug)}>
          <Name>{mail.team.name}</Name>
        </a>
      </Fact>
    )}
    <Fact name="Requested">
      <DateTime at={mail.createdAt} />
    </Fact>
    <Fact name="Attempts">{mail.attempts.toLocaleString('en')}</Fact>
    {mail.nextAttemptAt !== null && (
      <Fact name="Next attempt">
        <DateTime at={mail.nextAttemptAt} />
      </Fact>
    )}
    {mail.endedAt !== null && (
      <Fact name="Ended">
        <DateTime at={mail.endedAt} />
      </Fact>
    )}
    <Fact name="Email ID">
      <code>{mail.id}</code>
    </Fact>
  </Facts>
)
