import { Checkbox } from '../../web/components/forms/checkbox.tsx'

/** Whether a change of what the user signs in with also ends the other sessions. `of` distinguishes several on a page. */
export const EndOtherSessions = ({ of }: { of?: string }) => (
  <Checkbox
    name="endOtherSessions"
    label="End my other sessions"
    hint="Signs you out in all other browsers, which are no longer trusted either."
    isTicked
    {...(of !== undefined && { id: `end-other-sessions-${of}` })}
  />
)
