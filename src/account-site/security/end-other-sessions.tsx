import { Checkbox } from '../../web/components/forms/checkbox.tsx'

/** A checkbox to end the other sessions after a change of sign-in methods. `of` distinguishes several on a page. */
export const EndOtherSessions = ({ of }: { of?: string }) => (
  <Checkbox
    name="endOtherSessions"
    label="End my other sessions"
    hint="Signs you out in all other browsers and removes them from your trusted devices."
    isTicked
    {...(of !== undefined && { id: `end-other-sessions-${of}` })}
  />
)

/** A checkbox to revoke the personal tokens after a change of the password. */
export const RevokePersonalTokens = () => (
  <Checkbox
    name="revokePersonalTokens"
    label="Revoke my personal tokens too"
    hint="Scripts that use them stop working. Choose this if someone else may have had access to your account."
  />
)
