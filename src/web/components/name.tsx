/** A name that a user or client chose. It is isolated, so that its writing direction does not affect the surrounding sentence. */
export const Name = ({ children }: { children: string }) => (
  <strong>
    <bdi>{children}</bdi>
  </strong>
)
