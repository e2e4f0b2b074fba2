import { Button, Buttons } from '../../../web/components/forms/button.tsx'
import { Form } from '../../../web/components/forms/form.tsx'
import { quoteName } from '../../../web/display-name.ts'
import { form } from '../../framework/form.ts'
import { page } from '../../framework/page.ts'
import { NewGroupDocument, SetGroupRolesDocument } from '../../generated/operations.ts'
import { requireProduct } from '../../members/app-access-fields.tsx'
import { GroupFields } from './group-fields.tsx'
import { groupFields, groupInputOf, groupsPath, groupToAdd, withGroup } from './group-forms.ts'

/** Gives a group a role and products. The page queries the groups, which only owners can see. */
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
      variables: (fields, ctx) => withGroup(ctx, groupInputOf(fields)),
      notice: (_, __, { group }) => `The group ${quoteName(group)} was added.`,
      onSuccess: (_, ctx) => `/teams/${ctx.param('team')}/sign-in/groups`,
    }),
  },
  view: ({ team: { directoryGroups } }, ctx) => (
    <>
      <p>
        Members whose groups your directory has sent through SCIM get the role at once. Others get it at the next sign-in through the
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
