import { z } from 'zod'
import { list, text } from '../fields.ts'
import { Choices } from '../form.tsx'
import type { Application, Role } from '../generated/operations.ts'
import { appNames } from '../words.ts'

// What a member may do and use, as forms ask for it: of somebody who is in the team, or is invited.

/** The fields as browsers send them. The schema's enums cannot hold another value, so it is refused here, in its words. */
export const accessFields = z.object({
  role: z.enum(['OWNER', 'MEMBER', 'BILLING'] satisfies Role[]),
  access: text,
  accessibleAppIds: list.pipe(z.array(z.enum(Object.keys(appNames) as Application[]))),
})

/** The same as inputs have them: null is all applications. */
export const accessOf = ({ role, access, accessibleAppIds }: z.output<typeof accessFields>) => ({
  role,
  accessibleAppIds: access === 'all' ? null : accessibleAppIds,
})

interface AccessProps {
  role: Role
  accessibleAppIds: readonly Application[] | null
}

export const AccessChoices = ({ role, accessibleAppIds }: AccessProps) => (
  <>
    <Choices
      name="role"
      legend="Role"
      type="radio"
      options={[
        { value: 'MEMBER', label: 'Member', hint: 'Sees the team, its members and applications.' },
        { value: 'BILLING', label: 'Billing', hint: 'Sees invoices too.' },
        { value: 'OWNER', label: 'Owner', hint: 'May do everything: change the team, its members and tokens.' },
      ]}
      checked={[role]}
    />
    <Choices
      name="access"
      legend="Application access"
      type="radio"
      options={[
        { value: 'all', label: 'All applications', hint: 'Those that are connected later too.' },
        { value: 'chosen', label: 'Only those that I choose', opens: true },
      ]}
      checked={[accessibleAppIds === null ? 'all' : 'chosen']}
    />
    <div class="opened">
      <Choices
        name="accessibleAppIds"
        legend="Chosen applications"
        type="checkbox"
        options={Object.entries(appNames).map(([value, label]) => ({ value, label }))}
        checked={accessibleAppIds ?? []}
      />
    </div>
  </>
)
