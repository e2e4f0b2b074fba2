import { z } from 'zod'
import { notFound } from '../../../../schema/core/errors.ts'
import { ConfirmDialog } from '../../../web/components/confirm-dialog.tsx'
import { Button, Buttons } from '../../../web/components/forms/button.tsx'
import { Field } from '../../../web/components/forms/field.tsx'
import { Form } from '../../../web/components/forms/form.tsx'
import { quoteName, isolateName } from '../../../web/display-name.ts'
import { form } from '../../framework/form.ts'
import { page } from '../../framework/page.ts'
import { NewGroupDocument, SetGroupRolesDocument, GroupRolesDocument } from '../../generated/operations.ts'
import type { Application, Role } from '../../generated/operations.ts'
import { requireProduct, AccessFields } from '../../members/app-access-fields.tsx'
import { groupFields, buildGroupInput, groupsPath, groupToAdd, withGroup, groupIn, withChangedGroup } from './group-forms.ts'

/** The page that gives a group a role and products. It queries the groups, which only owners can see. */
export const newGroupRole = page({
  path: `${groupsPath}/new`,
  title: 'Add group',
  parent: groupsPath,
  recentSignIn: true,
  document: NewGroupDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: {
    add: form({
      fields: groupFields,
      document: SetGroupRolesDocument,
      guard: requireProduct,
      variables: (fields, ctx) => withGroup(ctx, buildGroupInput(fields)),
      notice: (_, __, { group }) => `The group ${quoteName(group)} was added.`,
      onSuccess: (_, ctx) => `/teams/${ctx.param('team')}/sign-in/groups`,
    }),
  },
  view: ({ team: { directoryGroups } }, ctx) => (
    <>
      <p>
        Members whose groups your directory has sent through SCIM get the role immediately. Others get it at the next sign-in through the
        identity provider.
      </p>
      <Form name="add">
        <GroupFields group={groupToAdd(ctx)} choices={directoryGroups.nodes.map(({ displayName }) => displayName)} />
        <Buttons>
          <Button>Add group</Button>
        </Buttons>
      </Form>
    </>
  ),
})

/** A group that has a role: the forms to change and remove it. */
export const groupRole = page({
  path: `${groupsPath}/:group`,
  title: (_, ctx) => isolateName(groupIn(ctx)),
  parent: groupsPath,
  document: GroupRolesDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: {
    update: form({
      fields: groupFields,
      document: SetGroupRolesDocument,
      guard: requireProduct,
      variables: (fields, ctx) => withChangedGroup(ctx, buildGroupInput(fields)),
      notice: (_, __, { group }) => `The group ${quoteName(group)} was saved.`,
      onSuccess: (_, ctx) => `/teams/${ctx.param('team')}/sign-in/groups`,
    }),
    remove: form({
      fields: z.object({}),
      document: SetGroupRolesDocument,
      variables: (_, ctx) => withChangedGroup(ctx, null),
      notice: (_, ctx) => `The group ${quoteName(groupIn(ctx))} was removed.`,
      onSuccess: (_, ctx) => `/teams/${ctx.param('team')}/sign-in/groups`,
    }),
  },
  view({ team: { groupRoles } }, ctx) {
    const stored = groupRoles.find(({ group }) => group === groupIn(ctx))
    if (!stored) throw notFound()
    return (
      <>
        <Form name="update">
          <GroupFields {...stored} />
          <Buttons>
            <Button>Save</Button>
          </Buttons>
        </Form>
        <section class="danger-zone" id="remove">
          <h2>Remove this group</h2>
          <p>Its members stay in the team, unless the role of new members is None.</p>
          <ConfirmDialog summary="Remove…" objectName={stored.group} form="remove" button="Remove this group">
            {groupRoles.length === 1
              ? 'Members keep their role and products, and owners can change them again.'
              : 'Members who are in none of the other groups get the role of new members and all products, immediately or at the next sign-in.'}
          </ConfirmDialog>
        </section>
      </>
    )
  },
})

interface GroupFieldsProps {
  group?: string
  role?: Role
  accessibleAppIds?: readonly Application[] | null
  /** Names of groups that the directory has sent, for a group that is added. */
  choices?: readonly string[]
}

const choicesId = 'directory-groups'

/** The fields of a group that has a role. */
const GroupFields = ({ group, role = 'MEMBER', accessibleAppIds = null, choices = [] }: GroupFieldsProps) => (
  <>
    <Field
      name="group"
      label="Group"
      maxLength={255}
      autocomplete="off"
      value={group}
      hasFocus={group === undefined}
      {...(choices.length > 0 && { list: choicesId })}
      hint={
        choices.length > 0
          ? 'Choose a group that the directory has sent, or enter its name exactly, with the same upper and lower case.'
          : 'Exactly as the identity provider sends it, with the same upper and lower case. Entra ID sends the object ID of a group at sign-in.'
      }
    />
    {choices.length > 0 && (
      <datalist id={choicesId}>
        {choices.map((choice) => (
          <option value={choice} />
        ))}
      </datalist>
    )}
    <AccessFields role={role} accessibleAppIds={accessibleAppIds} canBeOwner={false} />
  </>
)
