import { z } from 'zod'
import { form, page } from '../declaration.ts'
import { Button, Buttons, Form } from '../form.tsx'
import { MemberDocument, RemoveMemberDocument, UpdateMemberDocument } from '../generated/operations.ts'
import type { MemberQuery } from '../generated/operations.ts'
import { Name } from '../page.tsx'
import { Sure } from '../sure.tsx'
import { Day } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { AccessChoices, accessFields, accessOf } from './access-fields.tsx'
import { accessWords, roleNames } from '../words.ts'

type Member = MemberQuery['team']['member']

const ids = (visit: Visit) => ({ team: visit.param('team'), userId: visit.param('userId') })
const membersOf = (visit: Visit) => `/teams/${visit.param('team')}/members`

const update = form({
  fields: accessFields,
  document: UpdateMemberDocument,
  variables: (fields, visit) => ({ input: { ...ids(visit), ...accessOf(fields) } }),
  notice: 'The member was changed.',
  done: (_, visit) => membersOf(visit),
})
const remove = form({
  fields: z.object({}),
  document: RemoveMemberDocument,
  variables: (_, visit) => ({ input: ids(visit) }),
  notice: 'The member was removed.',
  // Who removes themselves can see the team no more.
  done: (_, visit) => (visit.param('userId') === visit.person?.user.id ? '/' : membersOf(visit)),
})

/** One member: what they may do in the team, for owners to change. */
export const member = page({
  path: '/teams/:team/members/:userId',
  title: ({ team }) => team.member.name,
  document: MemberDocument,
  variables: ids,
  forms: { update, remove },
  view: ({ team: { member } }, visit) => (
    <>
      <Facts member={member} />
      {visit.may(update.requirements) && (
        <section>
          <h2>What they may do</h2>
          <Form name="update">
            <AccessChoices role={member.role} accessibleAppIds={member.accessibleAppIds} />
            <Buttons>
              <Button>Save</Button>
            </Buttons>
          </Form>
        </section>
      )}
      {visit.may(remove.requirements) && <Removing name={member.name} />}
    </>
  ),
})

const Facts = ({ member: { email, role, accessibleAppIds, joinedAt } }: { member: Member }) => (
  <section>
    <h2>In this team</h2>
    <dl>
      <dt>Email address</dt>
      <dd>
        <bdi>{email}</bdi>
      </dd>
      <dt>Role</dt>
      <dd>{roleNames[role]}</dd>
      <dt>Application access</dt>
      <dd>{accessWords(accessibleAppIds)}</dd>
      <dt>Joined</dt>
      <dd>
        <Day at={joinedAt} />
      </dd>
    </dl>
  </section>
)

const Removing = ({ name }: { name: string }) => (
  <section>
    <h2>Remove from the team</h2>
    <Sure summary="Remove…" form="remove" button="Remove from the team">
      <Name>{name}</Name> loses the team at once, and so do their personal tokens and the applications they connected. Team tokens that they
      created stay.
    </Sure>
  </section>
)
