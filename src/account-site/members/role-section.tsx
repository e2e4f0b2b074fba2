import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Name } from '../../web/components/address.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { AccessFields } from './app-access-fields.tsx'
import type { Member } from './member-facts.tsx'

/** The role and the products, with a form to change them or, if groups decide them, the names of the groups. */
export const RoleSection = ({ member, ctx }: { member: Member; ctx: PageContext }) => {
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
        what they give.
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
