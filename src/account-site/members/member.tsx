import { z } from 'zod'
import { Name } from '../../web/components/address.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { readPageNumber } from '../../web/components/lists/page-links.tsx'
import { isolateName } from '../../web/display-name.ts'
import { access, accessOfMember } from '../access/access.tsx'
import { revokeAccess } from '../access/revoke-access.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { MemberPageDocument, RemoveMemberDocument, UpdateMemberDocument } from '../generated/operations.ts'
import { listAddress } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { accessFields, buildAccessInput, requireProduct, AccessFields } from './app-access-fields.tsx'
import { endSessions, SessionsSection } from './end-sessions.tsx'
import { MemberFacts } from './member-facts.tsx'
import type { Member } from './member-facts.tsx'

const ids = (ctx: PageContext) => ({ team: ctx.param('team'), userId: ctx.param('userId') })
const getMembersPath = (ctx: PageContext) => listAddress(`/teams/${ctx.param('team')}/members`, ctx)

const update = form({
  fields: accessFields.extend({ previousRole: text }),
  document: UpdateMemberDocument,
  variables: (fields, ctx) => ({ input: { ...ids(ctx), ...buildAccessInput(fields) } }),
  guard: requireProduct,
  notice({ updateMember: { member } }, _, { role, previousRole }) {
    const name = isolateName(member.name)
    return role === 'OWNER' && previousRole !== role ? `${name} is now an owner.` : `The role and products of ${name} were saved.`
  },
})
/** A member whose role is decided by groups can only be made an owner. The products do not change. */
const makeOwner = form({
  fields: z.object({}),
  document: UpdateMemberDocument,
  variables: (_, ctx) => ({ input: { ...ids(ctx), role: 'OWNER' as const } }),
  notice: ({ updateMember: { member } }) => `${isolateName(member.name)} is now an owner.`,
})
const remove = form({
  fields: z.object({}),
  document: RemoveMemberDocument,
  variables: (_, ctx) => ({ input: ids(ctx) }),
  onSuccess: ({ removeMember }, ctx) => ({
    notice: `${isolateName(removeMember.member.name)} was removed from the team.`,
    // Users who remove themselves can no longer see the team.
    path: ctx.param('userId') === ctx.person?.user.id ? '/' : getMembersPath(ctx),
  }),
})

/** A member's role and access. Owners can change them and remove the member. */
export const member = page({
  path: '/teams/:team/members/:userId',
  title: ({ team }) => team.member.name,
  parent: '/teams/:team/members',
  document: MemberPageDocument,
  variables(ctx) {
    const { team, userId } = ids(ctx)
    return { team, userId, person: userId, page: readPageNumber(ctx.query), seesAccess: ctx.isAllowed(access.requirements) }
  },
  forms: { update, 'make-owner': makeOwner, remove, 'end-sessions': endSessions, 'revoke-access': revokeAccess },
  view: ({ team: { member, access } }, ctx) => (
    <>
      <MemberFacts member={member} ctx={ctx} />
      {ctx.isAllowed(update.requirements) && <RoleSection member={member} ctx={ctx} />}
      {access && <DataTable table={accessOfMember} ctx={ctx} list={access} {...(access.total === 0 && { count: 'Tokens and apps' })} />}
      {ctx.isAllowed(endSessions.requirements) && <SessionsSection member={member} ctx={ctx} />}
      {ctx.isAllowed(remove.requirements) && <RemoveSection {...member} />}
    </>
  ),
})

const RemoveSection = ({ name, isInDirectory }: Pick<Member, 'name' | 'isInDirectory'>) => (
  <section id="remove" class="danger-zone">
    <h2>Remove from the team</h2>
    <p>
      {isInDirectory
        ? 'Remove the person in your directory. If you remove them only here, the directory can make them a member again.'
        : 'The member loses access to the team immediately.'}
    </p>
    <ConfirmDialog summary="Remove…" form="remove" button="Remove from the team">
      <Name>{name}</Name> loses access to the team immediately, and so do their personal tokens and connected apps. Team tokens that they
      created remain.
      {isInDirectory && ' Your directory can make them a member again.'}
    </ConfirmDialog>
  </section>
)

/** The role and the products, with a form to change them or, if groups decide them, the names of the groups. */
const RoleSection = ({ member, ctx }: { member: Member; ctx: PageContext }) => {
  const settings = `/teams/${ctx.param('team')}/sign-in`
  return member.isManaged ? (
    <section aria-labelledby="role">
      <h2 id="role">{member.isInDirectory ? 'Managed by your directory' : 'Managed by your identity provider'}</h2>
      <p>
        {member.isInDirectory ? (
          <>
            <a href={`${settings}/directory`}>Your directory</a> adds and removes this member.{' '}
          </>
        ) : null}
        The role and the products are those of the member’s <a href={`${settings}/groups`}>groups</a>. Change the groups of the member, or
        the role and products of these groups.
      </p>
      <ConfirmDialog summary="Make owner…" form="make-owner" button="Make owner" isHarmless>
        <Name>{member.name}</Name> can then change the team, its members and tokens. Groups no longer decide the role, and other owners can
        change it.
      </ConfirmDialog>
    </section>
  ) : (
    <section aria-labelledby="role">
      <h2 id="role">Role and products</h2>
      {member.isInDirectory && (
        <p>
          <a href={`${settings}/directory`}>Your directory</a> adds and removes this member. It does not decide the role, as the member is{' '}
          {member.role === 'OWNER' ? 'an owner' : 'in no group that has one'}.
        </p>
      )}
      <Form name="update" hidden={{ previousRole: member.role }}>
        <AccessFields role={member.role} accessibleAppIds={member.accessibleAppIds} />
        <Buttons>
          <Button>Save</Button>
        </Buttons>
      </Form>
    </section>
  )
}
