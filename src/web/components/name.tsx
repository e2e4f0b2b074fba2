import { initialsOf } from '../display-name.ts'

/** A name that a user or client chose, isolated so that its writing direction does not affect the surrounding sentence. */
export const Name = ({ children }: { children: string }) => (
  <strong>
    <bdi>{children}</bdi>
  </strong>
)

/** The initials of an app in place of a logo. Pages load no images from third parties. */
export const Initials = ({ name }: { name: string }) => (
  <span class="initials" aria-hidden="true">
    {initialsOf(name)}
  </span>
)
