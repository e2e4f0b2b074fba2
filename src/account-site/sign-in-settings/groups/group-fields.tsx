import { Field } from '../../../web/components/forms/field.tsx'
import type { Application, Role } from '../../generated/operations.ts'
import { AccessFields } from '../../members/app-access-fields.tsx'

interface GroupFieldsProps {
  group?: string
  role?: Role
  accessibleAppIds?: readonly Application[] | null
}

/** The fields of a group that has a role. */
export const GroupFields = ({ group, role = 'MEMBER', accessibleAppIds = null }: GroupFieldsProps) => (
  <>
    <Field
      name="group"
      label="Group"
      maxLength={255}
      autocomplete="off"
      value={group}
      hasFocus={group === undefined}
      hint="Exactly as the identity provider states it, in upper and lower case. Entra ID states the object ID of a group at sign-in."
    />
    <AccessFields role={role} accessibleAppIds={accessibleAppIds} canBeOwner={false} />
  </>
)
