import { Checkbox } from '../../web/components/forms/checkbox.tsx'

/** Whether a new password also revokes the personal tokens. */
export const RevokePersonalTokens = () => (
  <Checkbox
    name="revokePersonalTokens"
    label="Revoke my personal tokens too"
    hint="Scripts that use them stop working. Choose this if someone else may have had access to your account."
  />
)
