import { Field } from '../../../web/components/forms/field.tsx'
import type { Application, Role } from '../../generated/operations.ts'
import { AccessFields } from '../../members/app-access-fields.tsx'

interface GroupFieldsProps {
  group?: string
  role?: Role
  accessibleAppIds?: readonly Application[] | null
  /** Names of groups that the directory has sent, for a group that is added. */
  choices?: readonly string[]
}

const choicesId = 'directory-groups'

/** The fields of a group that has a role. */
export const GroupFields = ({ group, role = 'MEMBER', accessibleAppIds = null, choices = [] }: GroupFieldsProps) => (
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
          ? 'Choose a group that the directory has sent, or enter its name exactly, in upper and lower case.'
          : 'Exactly as the identity provider states it, in upper and lower case. Entra ID states the object ID of a group at sign-in.'
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
