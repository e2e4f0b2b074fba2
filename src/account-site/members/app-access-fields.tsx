import { z } from 'zod'
import { invalid } from '../../../schema/core/errors.ts'
import { list, text } from '../framework/field-types.ts'
import { Choices } from '../../web/components/forms/choices.tsx'
import type { Application, Role } from '../generated/operations.ts'
import { productNames, applicationIds } from '../labels.ts'

// Role and application access of a member, in the forms for members and for invitations.

/** The submitted fields. Enum values are validated here, so that an unknown one gets a validation message, not a GraphQL error. */
export const accessFields = z.object({
  role: z.enum(['OWNER', 'MEMBER', 'BILLING'] satisfies Role[]),
  access: text,
  accessibleAppIds: list.pipe(z.array(z.enum(applicationIds))),
})

/** Returns the fields as input of a mutation. `accessibleAppIds: null` means all applications. */
export const buildAccessInput = ({ role, access, accessibleAppIds }: z.output<typeof accessFields>) => ({
  role,
  accessibleAppIds: access === 'all' ? null : accessibleAppIds,
})

/** Refuses the choice of individual products if none is ticked. The API still allows a member without products. */
export async function requireProduct({ access, accessibleAppIds }: z.output<typeof accessFields>): Promise<void> {
  if (access === 'chosen' && accessibleAppIds.length === 0) throw invalid({ accessibleAppIds: ['Choose at least one product.'] })
}

interface AccessProps {
  role: Role
  accessibleAppIds: readonly Application[] | null
  /** True if the role can be owner. */
  canBeOwner?: boolean
}

const owner = { value: 'OWNER', label: 'Owner', hint: 'Full access: can also change the team, its members and tokens.' }

export const AccessFields = ({ role, accessibleAppIds, canBeOwner = true }: AccessProps) => (
  <>
    <Choices
      name="role"
      legend="Role"
      type="radio"
      options={[
        { value: 'MEMBER', label: 'Member', hint: 'Sees the team, its members and products.' },
        { value: 'BILLING', label: 'Billing', hint: 'Can also see invoices.' },
        ...(canBeOwner ? [owner] : []),
      ]}
      checked={[role]}
    />
    <Choices
      name="access"
      legend="Product access"
      type="radio"
      options={[
        { value: 'all', label: 'All products', hint: 'Including products that are connected later.' },
        { value: 'chosen', label: 'Only selected products', opens: true },
      ]}
      checked={[accessibleAppIds === null ? 'all' : 'chosen']}
    />
    <div class="opened">
      <Choices
        name="accessibleAppIds"
        legend="Selected products"
        noun="product"
        type="checkbox"
        options={Object.entries(productNames).map(([value, label]) => ({ value, label }))}
        checked={accessibleAppIds ?? []}
      />
    </div>
  </>
)
